"""Makes secrets at run time: the repository holds none. Written from the providers' formats, not from the rules' patterns.

A template's slots are drawn anew each time: ``{A36}`` is 36 characters of alphabet ``A``.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "w": string.ascii_letters + string.digits + "-_",
    "h": "0123456789abcdef",
    "U": string.ascii_uppercase + string.digits,
    "3": string.ascii_uppercase + "234567",
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
    "b": string.ascii_letters + string.digits + "+/",
    "a": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "p": string.ascii_letters + string.digits + "!#%*+-_?",
}
SLOT = re.compile(r"\{([Awh3Uldbap])(\d+)\}")

TEMPLATES: dict[str, tuple[str, ...]] = {
    "age-key": ("AGE-SECRET-KEY-1{a58}",),
    "github-token": ("ghp_{A36}", "gho_{A36}", "ghu_{A36}", "ghs_{A36}", "ghr_{A76}"),
    "github-fine-grained": ("github_pat_{A22}_{A59}",),
    "gitlab-token": (
        "glpat-{w20}",
        "glrt-{w20}",
        "gldt-{w20}",
        "glptt-{h40}",
        "glwt-{w20}",
        "glpat-{w27}.{l2}.{l9}",
    ),
    "gitlab-runner-registration": ("GR1348941{w20}",),
    "jfrog-reference-token": ("cmVmdGtu{A56}",),
    "sourcegraph-token": ("sgp_{h40}", "sgp_{h16}_{h40}", "sgp_local_{h40}"),
    "gitea-token": ("gto_{l52}",),
    "docker-swarm-token": ("SWMTKN-1-{l50}-{l25}",),
    "aws-bedrock-short-key": ("bedrock-api-key-{A200}",),
    "firebase-server-key": ("AAAA{w7}:APA91b{w134}",),
    "azure-devops-token": ("{A76}AZDO{A4}",),
    "azure-function-key": ("https://x.azurewebsites.net/api/run?code={w54}==",),
    "neon-key": ("napi_{l64}",),
    "aiven-password": ("AVNS_{w19}",),
    "mongodb-atlas-secret": ("mdb_sa_sk_{w40}",),
    "alchemy-key": ("https://eth-mainnet.g.alchemy.com/v2/{w32}",),
    "octopus-key": ("API-{U26}",),
    "scalingo-token": ("tk-us-{w48}",),
    "infracost-key": ("ico-{A32}",),
    "yandex-oauth-token": ("y0_AgAAAA{w50}",),
    "together-key": ("tgp_v1_{w43}",),
    "fireworks-key": ("fw_{A24}",),
    "wandb-key": ("wandb_v1_{A77}",),
    "firecrawl-key": ("fc-{h32}",),
    "runpod-key": ("rpa_{U40}",),
    "modal-token": ("ak-{A22}", "as-{A22}"),
    "voyage-key": ("pa-{w43}",),
    "teams-webhook": (
        "https://x.webhook.office.com/webhookb2/{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}",
    ),
    "zapier-webhook": ("https://hooks.zapier.com/hooks/catch/{d7}/{l7}/",),
    "mailersend-key": ("mlsn.{h64}",),
    "klaviyo-key": ("pk_{h34}",),
    "flutterwave-key": ("FLWSECK-{h32}-X", "FLWSECK_TEST-{h32}-X"),
    "adyen-key": ("AQE{b100}-{b43}=-{p16}",),
    "paddle-key": ("pdl_live_apikey_{l26}_{A22}_{A3}",),
    "mollie-key": ("live_{A30}",),
    "easypost-key": ("EZAK{A54}", "EZTK{A54}"),
    "duffel-token": ("duffel_live_{w43}",),
    "clickup-token": ("pk_{d8}_{U32}",),
    "salesforce-token": ("00D{A12}!AQEAQ{A90}",),
    "launchdarkly-key": ("sdk-{h8}-{h4}-{h4}-{h4}-{h12}", "api-{h8}-{h4}-{h4}-{h4}-{h12}"),
    "frameio-token": ("fio-u-{w64}",),
    "posthog-key": ("phx_{A43}", "phs_{A43}"),
    "adafruit-key": ("aio_{A28}",),
    "honeycomb-key": ("hcaik_{l58}",),
    "dynatrace-token": ("dt0c01.{U24}.{U64}",),
    "deno-token": ("ddp_{A36}", "ddo_{A36}"),
    "inngest-key": ("signkey-prod-{h64}",),
    "axiom-token": ("xaat-{h8}-{h4}-{h4}-{h4}-{h12}",),
    "daytona-key": ("dtn_{h64}",),
    "valtown-token": ("vtwn_{A28}",),
    "trigger-key": ("tr_prod_{A22}",),
    "helicone-key": ("sk-helicone-{l7}-{l7}-{l7}-{l7}",),
    "brave-key": ("BSA{w28}",),
    "logfire-token": ("pylf_v1_us_{A43}",),
    "stytch-secret": ("secret-live-{w46}=",),
    "prefixed-token": ("acme_api_{A36}", "acme-key-{A40}"),
    "apify-token": ("apify_api_{A36}",),
    "browserbase-key": ("bb_live_{A27}",),
    "zuplo-key": ("zpka_{h32}_{h8}",),
    "checkly-key": ("cu_{h32}",),
    "unkey-key": ("unkey_{A24}",),
    "sanity-token": ("sk{A178}",),
    "convex-key": ("prod:happy-otter-123|{b90}",),
    "composio-key": ("ak_{A19}7",),
    "lob-key": ("live_{h35}",),
    "putty-key": ("Public-Lines: 2\n{b64}\n{b40}\nPrivate-Lines: 1\n{b44}\nPrivate-MAC: {h64}",),
    "npm-token": ("npm_{A36}",),
    "pypi-token": ("pypi-AgEIcHlwaS5vcmc{w120}",),
    "rubygems-key": ("rubygems_{h48}",),
    "crates-token": ("cio{A32}",),
    "docker-token": ("dckr_pat_{w27}", "dckr_oat_{w32}"),
    "artifactory-key": ("AKCp{A69}",),
    "nuget-key": ("oy2{l43}",),
    "clojars-token": ("CLOJARS_{l60}",),
    "aws-access-key-id": ("AKIA{316}", "ASIA{316}"),
    "aws-bedrock-key": ("ABSK{b132}",),
    "google-api-key": ("AIza{w35}",),
    "google-oauth-token": ("ya29.{w120}",),
    "google-client-secret": ("GOCSPX-{w28}",),
    "google-refresh-token": ("1//0{w60}",),
    "azure-storage-key": (
        "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={b86}==;EndpointSuffix=core.windows.net",
    ),
    "azure-client-secret": ("{A3}8Q~{A34}",),
    "azure-sas": (
        "https://acct.blob.core.windows.net/c?sv=2022-11-02&sig={A42}%3D",
        "?se=2030-01-01&sig={A20}%2B{A21}%3D",
    ),
    "digitalocean-token": ("dop_v1_{h64}", "doo_v1_{h64}"),
    "alibaba-key-id": ("LTAI{A20}",),
    "tencent-secret-id": ("AKID{A32}",),
    "databricks-token": ("dapi{h32}", "dapi{h32}-2"),
    "vault-token": ("hvs.{A24}", "hvb.{w120}"),
    "terraform-token": ("{A14}.atlasv1.{A67}",),
    "doppler-token": ("dp.pt.{A43}", "dp.st.prd.{A43}"),
    "pulumi-token": ("pul-{h40}",),
    "fly-token": ("fo1_{w43}", "fm2_{b200}"),
    "netlify-token": ("nfp_{A36}",),
    "vercel-token": ("vcp_{A56}",),
    "cloudflare-token": ("cfut_{A48}", "v1.0-{h24}-{h146}"),
    "heroku-key": ("HRKU-{w60}",),
    "render-key": ("rnd_{A28}",),
    "planetscale-token": ("pscale_tkn_{w43}", "pscale_pw_{w43}"),
    "supabase-token": ("sbp_{h40}", "sb_secret_{w31}"),
    "tailscale-key": ("tskey-auth-{A17}-{A32}", "tskey-api-{A17}-{A32}"),
    "anthropic-key": ("sk-ant-api03-{w93}AA", "sk-ant-admin01-{w93}AA", "sk-ant-oat01-{w93}AA"),
    "openrouter-key": ("sk-or-v1-{h64}",),
    "openai-key": (
        "sk-proj-{w74}T3BlbkFJ{w74}",
        "sk-{A20}T3BlbkFJ{A20}",
        "sk-svcacct-{w58}T3BlbkFJ{w58}",
        "sk-{h32}",
    ),
    "huggingface-token": ("hf_{A34}",),
    "groq-key": ("gsk_{A52}",),
    "xai-key": ("xai-{A80}",),
    "perplexity-key": ("pplx-{A48}",),
    "replicate-token": ("r8_{A37}",),
    "langsmith-key": ("lsv2_pt_{h32}_{h10}",),
    "slack-token": (
        "xoxb-{d12}-{d13}-{A24}",
        "xoxp-{d12}-{d12}-{d13}-{h32}",
        "xapp-1-A{U10}-{d13}-{h64}",
        "xoxe.xoxp-1-{A160}",
    ),
    "aws-session-token": ("IQoJb3JpZ2luX2Vj{b300}", "FwoGZXIvYXdzE{b300}=="),
    "aws-mws-token": ("amzn.mws.{h8}-{h4}-{h4}-{h4}-{h12}",),
    "azure-ai-key": ("{A52}JQQJ99{U2}AC{A10}AAABACOG{A4}",),
    "azure-annotated-key": (
        *("{b76}+ASt{A6}==", "{b76}ACDb{A6}==", "{b42}+ACR{A6}", "{A42}AzSe{A6}"),
        *("{w44}AzFu{A6}==", "{b33}+AEh{A6}=", "{b33}AzCa{A6}="),
    ),
    "vercel-blob-token": ("vercel_blob_rw_{A16}_{A30}",),
    "vault-legacy-token": ("s.{A24}",),
    "yandex-iam-token": ("t1.{w120}.{w86}",),
    "yandex-secret-key": ("YC{A38}",),
    "vk-token": ("vk1.a.{A190}",),
    "newrelic-license-key": ("{h32}FFFFNRAL", "eu01xx{h30}NRAL"),
    "django-secret-key": ("django-insecure-{l50}",),
    "oracle-credentials": ("jdbc:oracle:thin:scott/{A12}7@db:1521/x", "sqlplus app/{A12}7@db"),
    "pgpass-entry": ("db.internal:5432:app:svc:{A14}", "db:*:*:postgres:{A14}"),
    "slack-webhook": ("https://hooks.slack.com/services/T{U8}/B{U10}/{A24}",),
    "discord-token": ("MT{A22}.{w6}.{A38}", "OD{A24}.{w6}.{A27}"),
    "discord-webhook": ("https://discord.com/api/webhooks/{d18}/{A68}",),
    "telegram-token": ("7{d9}:AA{A33}", "https://api.telegram.org/bot7{d9}:AA{A33}/getMe"),
    "sendgrid-key": ("SG.{w22}.{w42}7",),
    "twilio-key": ("SK{h32}",),
    "mailgun-key": ("key-{h32}", "{h32}-{h8}-{h8}"),
    "mailchimp-key": ("{h32}-us14",),
    "brevo-key": ("xkeysib-{h64}-{A16}",),
    "resend-key": ("re_{A8}_{A24}",),
    "stripe-key": ("sk_live_{A24}", "sk_live_51{A97}", "rk_live_{A24}", "sk_test_{A99}"),
    "stripe-webhook-secret": ("whsec_{A32}",),
    "square-token": ("sq0atp-{w22}", "sq0csp-{w43}", "EAAA{w60}"),
    "shopify-token": ("shpat_{h32}", "shpss_{h32}", "shptka_{h32}"),
    "braintree-token": ("access_token$production${l16}${h32}",),
    "linear-key": ("lin_api_{A40}",),
    "notion-token": ("ntn_{A46}", "secret_{A43}"),
    "atlassian-token": ("ATATT3xFfGF0{w180}", "ATBB{A32}"),
    "airtable-token": ("pat{A14}.{h64}",),
    "figma-token": ("figd_{w40}",),
    "postman-key": ("PMAK-{h24}-{h34}",),
    "contentful-token": ("CFPAT-{w43}",),
    "onepassword-secret-key": ("A3-{U6}-{U11}-{U5}-{U5}-{U5}", "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}"),
    "maxmind-key": ("{A6}_{A29}_mmk",),
    "infisical-token": ("st.{h24}.{h32}.{h32}",),
    "teamcity-token": ("eyJ0eXAiOiAiVENWMiJ9.{w36}.{w48}",),
    "defined-key": ("dnkey-{U26}-{U52}",),
    "onepassword-token": ("ops_eyJ{A300}",),
    "newrelic-key": ("NRAK-{U27}", "NRJS-{h19}", "NRII-{w32}"),
    "datadog-token": ("ddapp_{A34}", "ddpat_{A40}"),
    "sentry-token": ("sntrys_eyJ{A140}", "sntryu_{h64}"),
    "grafana-token": ("glsa_{A32}_{h8}", "glc_{A80}"),
    "sonar-token": ("squ_{h40}", "sqp_{h40}"),
    "buildkite-token": ("bkua_{l40}",),
    "circleci-token": ("CCIPAT_{A22}_{h40}",),
    "baidu-key": ("bce-v3/ALTAK-{A21}/{h40}",),
    "volcengine-key-id": ("AKLT{A40}",),
    "yandex-key": ("AQVN{w35}",),
    "nvidia-key": ("nvapi-{w64}",),
    "pinecone-key": ("pcsk_{A6}_{A63}",),
    "tavily-key": ("tvly-{A32}", "tvly-dev-{A32}"),
    "cerebras-key": ("csk-{l48}",),
    "llamacloud-key": ("llx-{A48}",),
    "elevenlabs-key": ("sk_{h48}",),
    "jina-key": ("jina_{A60}",),
    "e2b-key": ("e2b_{h40}",),
    "langfuse-key": ("sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}",),
    "feishu-webhook": ("https://open.feishu.cn/open-apis/bot/v2/hook/{h8}-{h4}-{h4}-{h4}-{h12}",),
    "dingtalk-webhook": ("https://oapi.dingtalk.com/robot/send?access_token={h64}",),
    "wecom-webhook": ("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={h8}-{h4}-{h4}-{h4}-{h12}",),
    "facebook-token": ("EAAG{A180}",),
    "twitter-token": ("AAAAAAAAAAAAAAAAAAAAA{A90}",),
    "asana-token": ("1/12{d14}:{h32}",),
    "hubspot-token": ("pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}",),
    "dropbox-token": ("sl.{w135}", "sl.u.{w900}"),
    "mapbox-token": ("sk.eyJ{A80}.{w22}",),
    "typeform-token": ("tfp_{A59}",),
    "plaid-token": ("access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}",),
    "shippo-token": ("shippo_live_{h40}",),
    "prefect-key": ("pnu_{l36}",),
    "readme-key": ("rdme_{l70}",),
    "aws-secret-access-key": ("aws_secret_access_key = {b40}", "secretAccessKey: '{b40}'"),
    "url-credentials": (
        "postgres://app:{p14}@db.internal:5432/app",
        "https://deploy:{A12}@git.example.com/x.git",
        "redis://:{A20}@cache:6379/0",
        "mongodb+srv://svc:p%40{A10}@c0.mongodb.net",
    ),
    "bearer-token": ("Authorization: Bearer {w40}", "curl -H 'Authorization: Bearer {A32}'"),
    "option-credentials": ("curl -u admin:{A12}9k https://x.test/", "curl --user bot:{A14}7#"),
    "option-password": (
        "sshpass -p '{A10}8x!' ssh host",
        'ldapsearch -x -D "cn=admin,dc=x" -w {A12}8x -b dc=x',
        "docker login -u bot -p {A12}8x registry.test",
    ),
    "password-field": (
        "DB_PASSWORD={A16}4x",
        "user: admin\npass: {A10}4x",
        "Use the Grafana password `{A10}4x!` there",
        "mysqldump --password {A12}3d --all",
        'password: "{A12}7!"',
        '"password": "{A14}3",',
        "密码：{A10}8z",
        "账号 admin 密码 {A10}8z!",
        "SMTP_PASS={A12}3k",
        "The password for staging is {A11}4#",
        "machine git.example.com login bot password {A14}2",
        "口令是 {A10}5y!",
        "the admin password is {A10}6q!",
        "- **Password:** `{A12}2w`",
        "<password>{A12}9e</password>",
        "- name: DB_PASSWORD\n  value: {A12}1r",
        "| db password | {A12}1# |",
        "Server=db;User Id=sa;Password={A12}1r;Encrypt=True",
    ),
    "key-field": (
        "API_KEY={A32}",
        "AZURE_STORAGE_KEY={b86}==",
        "const azureStorageKey = '{b86}==';",
        "use Heroku API key `{h8}-{h4}-{h4}-{h4}-{h12}` there",
        "The Datadog key is {h32}.",
        "The Datadog application key is {h40}.",
        "The DevOps PAT is {l52}.",
        "devops_pat: {l52}",
        "the Postmark server token：{h8}-{h4}-{h4}-{h4}-{h12}。",
        "const devopsPat = '{l52}';",
        "Django secret key 是 {p50}",
        "tool --token {A32}",
        "tool --api-key {h32} run",
        "api_key: {h32}",
        '"token": "{A40}"',
        "client_secret = '{w32}'",
        "X-Api-Key: {A24}4",
        "令牌: {A32}",
        "SECRET_KEY = '{p48}'",
        "encryptionKey: {b43}=",
        "export GITHUB_TOKEN={h40}",
    ),
}
NOT_TEMPLATES = frozenset({"private-key", "json-web-token", "url-credentials-packed", "basic-credentials"})
"""Kinds with a structure that slots cannot draw; ``made`` makes them."""


def drawn(rng: random.Random, template: str) -> str:
    """A template with its slots filled."""
    return SLOT.sub(lambda m: "".join(rng.choices(ALPHABETS[m[1]], k=int(m[2]))), template)


def made(rng: random.Random, rule_id: str) -> list[str]:
    """One text with a secret for each form of a rule."""
    match rule_id:
        case "private-key":
            kinds = ("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "", "DSA ")
            keys = [pem(rng, kind) for kind in kinds]
            return [
                *keys,
                pem(rng, "PGP ", " BLOCK"),
                json.dumps({"type": "service_account", "private_key": keys[4]}),
            ]
        case "json-web-token":
            return [jwt(rng)]
        case "url-credentials-packed":
            return [f"https://{packed(drawn(rng, 'bot:{A12}7x'))}@git.example.org/a.git"]
        case "basic-credentials":
            return [f"Authorization: Basic {packed(drawn(rng, 'bot:{A12}7x'))}"]
        case _:
            return [drawn(rng, template) for template in TEMPLATES[rule_id]]


def packed(text: str, *, url: bool = False) -> str:
    """Base64 of a text."""
    coded = base64.urlsafe_b64encode(text.encode()) if url else base64.b64encode(text.encode())
    return coded.decode()


def jwt(rng: random.Random) -> str:
    """A signed token."""
    header = packed(json.dumps({"alg": "HS256", "typ": "JWT"}), url=True).rstrip("=")
    payload = packed(json.dumps({"sub": drawn(rng, "{d12}"), "exp": 1999999999}), url=True).rstrip("=")
    return f"{header}.{payload}.{drawn(rng, '{w43}')}"


def pem(rng: random.Random, kind: str, tail: str = "") -> str:
    """A private key's armour around random bytes."""
    coded = base64.b64encode(rng.randbytes(600)).decode()
    lines = "\n".join(coded[i : i + 64] for i in range(0, len(coded), 64))
    label = f"{kind}PRIVATE KEY{tail}"
    return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n"
