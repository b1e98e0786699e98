"""The secret guard judged by somebody who had not read its rules: their formats, their contexts, their ordinary texts.

What stands here was written from the providers' public documentation before the rules were looked at, then measured:
the first set was mended by, the second one never. Nothing here is a secret: values are drawn at run time.
"""

from __future__ import annotations

import base64
import random

from memtui.memory.secrets.guard import find_secrets
from tests.unit.secret_makers import drawn, jwt

UUID = "{h8}-{h4}-4{h3}-a{h3}-{h12}"
FIRST = f"""
AWS_ACCESS_KEY_ID | | AKIA{{316}}
AWS_ACCESS_KEY_ID | | ASIA{{316}}
AWS_SECRET_ACCESS_KEY | AWS secret access key | {{b40}}
AWS_SESSION_TOKEN | AWS session token | IQoJb3JpZ2luX2Vj{{b300}}
AWS_BEARER_TOKEN_BEDROCK | | ABSK{{b120}}=
MWS_AUTH_TOKEN | | amzn.mws.{UUID}
GOOGLE_API_KEY | | AIza{{A35}}
GOOGLE_CLIENT_SECRET | | GOCSPX-{{A28}}
GOOGLE_ACCESS_TOKEN | | ya29.{{A150}}
GOOGLE_REFRESH_TOKEN | | 1//0{{d1}}{{A94}}
AZURE_STORAGE_KEY | Azure storage key | {{b86}}==
AZURE_CLIENT_SECRET | | {{A3}}{{d1}}Q~{{A34}}
AZURE_DEVOPS_PAT | Azure DevOps PAT | {{l52}}
AZURE_OPENAI_API_KEY | Azure OpenAI key | {{h32}}
AZURE_OPENAI_API_KEY | | {{A52}}JQQJ99{{U2}}AC{{A10}}AAABACOG{{A4}}
AZURE_FUNCTION_KEY | | {{A44}}AzFu{{A6}}==
AZURE_SEARCH_KEY | | {{A42}}AzSe{{A6}}
GITHUB_TOKEN | | ghp_{{A36}}
GITHUB_TOKEN | | gho_{{A36}}
GITHUB_TOKEN | | ghs_{{A36}}
GH_TOKEN | | github_pat_{{A22}}_{{A59}}
GITHUB_TOKEN | GitHub token | {{h40}}
GITLAB_TOKEN | | glpat-{{A20}}
GITLAB_TOKEN | | glpat-{{A27}}.01.{{h2}}{{l7}}
GITLAB_TOKEN | | glrtr-{{A20}}
GITLAB_TOKEN | | gloas-{{h64}}
CI_JOB_TOKEN | | glcbt-{{h2}}_{{A20}}
SLACK_BOT_TOKEN | | xoxb-{{d12}}-{{d13}}-{{A24}}
SLACK_TOKEN | | xoxp-{{d12}}-{{d12}}-{{d13}}-{{h32}}
SLACK_APP_TOKEN | | xapp-1-A{{U10}}-{{d13}}-{{h64}}
SLACK_CONFIG_TOKEN | | xoxe.xoxp-1-{{A163}}
SLACK_SIGNING_SECRET | Slack signing secret | {{h32}}
STRIPE_SECRET_KEY | | sk_live_51{{A97}}
STRIPE_API_KEY | | rk_live_{{A24}}
STRIPE_WEBHOOK_SECRET | | whsec_{{A32}}
OPENAI_API_KEY | | sk-{{A20}}T3BlbkFJ{{A20}}
OPENAI_API_KEY | | sk-proj-{{A74}}T3BlbkFJ{{A74}}
OPENAI_API_KEY | | sk-svcacct-{{A74}}T3BlbkFJ{{A74}}
ANTHROPIC_API_KEY | | sk-ant-api03-{{A93}}AA
CLAUDE_CODE_OAUTH_TOKEN | | sk-ant-oat01-{{A86}}AA
HF_TOKEN | | hf_{{A34}}
NPM_TOKEN | | npm_{{A36}}
TWINE_PASSWORD | | pypi-AgEIcHlwaS5vcmc{{A150}}
GEM_HOST_API_KEY | | rubygems_{{h48}}
CARGO_REGISTRY_TOKEN | | cio{{A32}}
DOCKERHUB_TOKEN | | dckr_pat_{{A27}}
DIGITALOCEAN_TOKEN | | dop_v1_{{h64}}
HEROKU_API_KEY | Heroku API key | {UUID}
HEROKU_API_KEY | | HRKU-AA{{A58}}
NETLIFY_AUTH_TOKEN | | nfp_{{A36}}
VERCEL_TOKEN | Vercel token | {{A24}}
BLOB_READ_WRITE_TOKEN | | vercel_blob_rw_{{A16}}_{{A30}}
CLOUDFLARE_API_TOKEN | Cloudflare API token | {{A40}}
CLOUDFLARE_CA_KEY | | v1.0-{{h24}}-{{h146}}
FLY_API_TOKEN | | fm2_{{b230}}
RENDER_API_KEY | | rnd_{{A28}}
DD_API_KEY | Datadog API key | {{h32}}
DD_APP_KEY | Datadog application key | {{h40}}
NEW_RELIC_API_KEY | | NRAK-{{U27}}
NEW_RELIC_LICENSE_KEY | | {{h32}}FFFFNRAL
SENTRY_AUTH_TOKEN | | sntryu_{{h64}}
GRAFANA_TOKEN | | glsa_{{A32}}_{{h8}}
TWILIO_AUTH_TOKEN | Twilio auth token | {{h32}}
SENDGRID_API_KEY | | SG.{{A22}}.{{A43}}
MAILGUN_API_KEY | | key-{{h32}}
MAILCHIMP_API_KEY | | {{h32}}-us12
POSTMARK_SERVER_TOKEN | Postmark server token | {UUID}
RESEND_API_KEY | | re_{{A8}}_{{A24}}
TELEGRAM_BOT_TOKEN | | 7{{d9}}:AA{{A33}}
DISCORD_TOKEN | | MT{{A24}}.G{{A5}}.{{A38}}
SHOPIFY_TOKEN | | shpat_{{h32}}
SQUARE_ACCESS_TOKEN | | sq0atp-{{A22}}
BRAINTREE_ACCESS_TOKEN | | access_token$production${{l16}}${{h32}}
PLAID_ACCESS_TOKEN | | access-production-{UUID}
DROPBOX_TOKEN | | sl.{{A137}}
NOTION_TOKEN | | ntn_{{d11}}{{A35}}
LINEAR_API_KEY | | lin_api_{{A40}}
AIRTABLE_TOKEN | | pat{{A14}}.{{h64}}
JIRA_API_TOKEN | | ATATT3xFfGF0{{A171}}={{h8}}
BITBUCKET_APP_PASSWORD | | ATBB{{A32}}
CIRCLE_TOKEN | | CCIPAT_{{A22}}_{{h40}}
JENKINS_API_TOKEN | Jenkins API token | 11{{h32}}
VAULT_TOKEN | | hvs.{{A95}}
VAULT_TOKEN | | s.{{A24}}
TFE_TOKEN | | {{A14}}.atlasv1.{{A67}}
PULUMI_ACCESS_TOKEN | | pul-{{h40}}
DOPPLER_TOKEN | | dp.st.dev.{{A43}}
DATABRICKS_TOKEN | | dapi{{h32}}
ALIBABA_ACCESS_KEY_ID | | LTAI5t{{A18}}
ALIBABA_CLOUD_ACCESS_KEY_SECRET | Aliyun access key secret | {{A30}}
TENCENTCLOUD_SECRET_ID | | AKID{{A32}}
QIANFAN_API_KEY | | bce-v3/ALTAK-{{A21}}/{{h40}}
YANDEX_API_KEY | | AQVN{{A36}}
YC_TOKEN | | t1.{{A120}}.{{A86}}
YC_SECRET_KEY | | YC{{A38}}
VK_TOKEN | | vk1.a.{{A190}}
FIGMA_TOKEN | | figd_{{A40}}
ALGOLIA_ADMIN_KEY | Algolia admin API key | {{h32}}
CONTENTFUL_MANAGEMENT_TOKEN | | CFPAT-{{A43}}
SUPABASE_ACCESS_TOKEN | | sbp_{{h40}}
DATABASE_PASSWORD | | pscale_pw_{{A43}}
NEON_API_KEY | | napi_{{l64}}
REPLICATE_API_TOKEN | | r8_{{A37}}
GROQ_API_KEY | | gsk_{{A52}}
MISTRAL_API_KEY | Mistral API key | {{A32}}
COHERE_API_KEY | Cohere API key | {{A40}}
PERPLEXITY_API_KEY | | pplx-{{A48}}
XAI_API_KEY | | xai-{{A80}}
DEEPSEEK_API_KEY | | sk-{{h32}}
OPENROUTER_API_KEY | | sk-or-v1-{{h64}}
SESSION_TOKEN | | JWT
WECHAT_APP_SECRET | WeChat app secret | {{h32}}
SECRET_KEY | Django secret key | django-insecure-{{l50}}
PRIVATE_KEY | wallet private key | 0x{{h64}}
"""
"""Variable, name in a sentence (empty where the form itself tells), form."""
SECOND = f"""
FLW_SECRET_KEY | | FLWSECK-{{h32}}-X
DUFFEL_TOKEN | | duffel_live_{{A43}}
RAZORPAY_KEY_SECRET | Razorpay key secret | {{A24}}
README_API_KEY | | rdme_{{l70}}
DEFINED_API_KEY | | dnkey-{{l26}}-{{l52}}
TS_AUTHKEY | | tskey-auth-k{{A11}}CNTRL-{{A32}}
TYPEFORM_TOKEN | | tfp_{{A59}}
POSTMAN_API_KEY | | PMAK-{{h24}}-{{h34}}
LANGSMITH_API_KEY | | lsv2_sk_{{h32}}_{{h10}}
WANDB_API_KEY | W&B API key | {{h40}}
ZHIPUAI_API_KEY | Zhipu API key | {{h32}}.{{A16}}
NVIDIA_API_KEY | | nvapi-{{A64}}
DEEPGRAM_API_KEY | Deepgram API key | {{h40}}
HONEYCOMB_API_KEY | | hcaik_01{{l56}}
INFISICAL_TOKEN | | st.{{h24}}.{{h32}}.{{h32}}
LD_SDK_KEY | | sdk-{UUID}
QINIU_SECRET_KEY | Qiniu secret key | {{A40}}
ARK_API_KEY | Volcengine Ark API key | {UUID}
VOLC_SECRETKEY | Volcengine secret access key | {{b50}}==
DENO_DEPLOY_TOKEN | | ddp_{{A36}}
MANDRILL_API_KEY | Mandrill API key | md-{{A22}}
POSTHOG_PERSONAL_API_KEY | | phx_{{A43}}
NGROK_AUTHTOKEN | ngrok authtoken | 2{{A26}}_{{A21}}
FB_ACCESS_TOKEN | | EAAG{{A180}}
TWITCH_CLIENT_SECRET | Twitch client secret | {{l30}}
SONAR_TOKEN | | sqp_{{h40}}
SCW_SECRET_KEY | Scaleway secret key | {UUID}
LINODE_TOKEN | Linode token | {{h64}}
VULTR_API_KEY | Vultr API key | {{U36}}
CODECOV_TOKEN | Codecov token | {UUID}
OKTA_API_TOKEN | Okta API token | 00{{A40}}
AUTH0_CLIENT_SECRET | Auth0 client secret | {{A64}}
ZENDESK_API_TOKEN | Zendesk API token | {{A40}}
HUBSPOT_TOKEN | | pat-na1-{UUID}
SHOPIFY_TOKEN | | shptka_{{h32}}
GITLAB_TOKEN | | glwt-{{A20}}
MAXMIND_LICENSE_KEY | | {{A6}}_{{A29}}_mmk
CONFLUENT_API_SECRET | Confluent API secret | {{b64}}
AWS_SESSION_TOKEN | AWS session token | FwoGZXIvYXdzE{{b340}}
API_TOKEN | 接口令牌 | {{A36}}
"""
CREDENTIALS = (
    "Connect with postgres://svc_app:{A12}7k@db.internal:5432/app from the jump host.",
    "数据库连接串：mysql://svc_app:{A12}7k@10.2.0.7:3306/shop，只读。",
    "MONGO=mongodb+srv://svc:{A16}@c0.x9k2p.mongodb.net/prod",
    "`rediss://default:{A32}@eu1-x.upstash.io:6379`",
    "~/.pgpass has:\n\ndb.internal:5432:app:svc:{A14}",
    "machine git.acme.io\n  login bot\n  password {A14}2k\n",
    'Run `curl --user "bot:{A12}4x" https://ci.acme.io/job`',
    'ldapsearch -x -D "cn=admin,dc=acme,dc=io" -w {A12}4x -b dc=acme',
    "docker login -u bot -p {A14}4x registry.acme.io",
    "PGPASSWORD={A12}4x psql -h db -U app",
    "[Interface]\nPrivateKey = {b43}=\nAddress = 10.8.0.2/24",
    "kind: Secret\nstringData:\n  DB_PASSWORD: {A14}4x",
    "otpauth://totp/Acme:me@acme.io?secret={332}&issuer=Acme",
    "AccountName=acme;AccountKey={b86}==;EndpointSuffix=core.windows.net",
    "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={b43}=",
    "Server=tcp:x.database.windows.net;User ID=sa;Password={A12}4x;Encrypt=True;",
    "jdbc:oracle:thin:scott/{A12}4x@db:1521/x",
    "告警发到 https://hooks.slack.com/services/T{U10}/B{U10}/{A24} 。",
    "https://oapi.dingtalk.com/robot/send?access_token={h64}",
    "飞书机器人：https://open.feishu.cn/open-apis/bot/v2/hook/" + UUID,
    "账号 root，密码 {A12}4x，别动。",
    "登录口令为 {A12}4x",
    "user: admin\npass: {A10}4x",
    "| Grafana password | {A12}4x |",
)
ORDINARY = (
    "The bug came in with commit {h40}, reverted in {h8}.",
    "问题出现在提交 {h40}，已经在 {h7} 回滚。",
    "md5 of the dump: {h32}  app.sql.gz",
    f"project_id: {UUID}\ncorrelation_id: {UUID}\nsession_id: {UUID}",
    '"resolved": "https://registry.npmjs.org/x/-/x-1.0.0.tgz",\n"integrity": "sha512-{b86}=="',
    'source = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "{h64}"',
    "x==1.1 \\\n    --hash=sha256:{h64} \\\n    --hash=sha256:{h64}",
    "github.com/acme/x v1.0.0 h1:{b43}=\ngithub.com/acme/x v1.0.0/go.mod h1:{b43}=",
    '<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{b240}==">',
    'var a=e.{l4}({d2}),bc="{A6}";var d=e.{l4}({d2}),fg="{A6}";',
    "Run actions/checkout@{h40}\nToken: ***\nCache key: node-{h64}",
    "Users reset their password by mail; passwords must have 12 characters.",
    "The API key lives in 1Password under 'staging'; ask Dana. Secret rotation is every 90 days.",
    "用户的密码至少 12 位，用 argon2id 加盐；API 密钥每 90 天轮换一次，找小李申请。",
    "export OPENAI_API_KEY=sk-...\npassword: changeme\ntoken: <YOUR_TOKEN>\nSECRET=xxxxxxxxxxxxxxxx",
    "Authorization: Bearer YOUR_KEY_HERE\nX-API-Key: YOUR_API_KEY",
    "postgresql://${{DB_USER}}:${{DB_PASS}}@db/app and redis://:password@localhost",
    "Needed: DATABASE_URL, REDIS_PASSWORD, STRIPE_SECRET_KEY, JWT_SECRET, AWS_SECRET_ACCESS_KEY",
    'user = make(password="hunter2")\njwt_secret = "test-secret-do-not-use"\ntoken = "fake-token"',
    "IBAN DE{d20}, BIC COBADEFFXXX, invoice {d8}; ISBN 978-3-{d5}-{d3}-{d1}",
    "Depot at 52.{d6}, 13.{d6}; InChIKey {U14}-{U10}-N; 4-dimethylaminopyridine",
    "--accent: #{h6}; --shade: #{h8}; background: rgba({d2},2,3,.4)",
    "image: ghcr.io/acme/app@sha256:{h64}\nregistry.acme.io/app:{h12}",
    '<script src="https://cdn.acme.io/x.js" integrity="sha384-{b64}" crossorigin="anonymous">',
    'hash = "sha256-{b43}=";\n/nix/store/{l32}-app-1.2',
    "-----BEGIN CERTIFICATE-----\nMII{b61}\n{b64}\n{b64}\n-----END CERTIFICATE-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} dana@laptop",
    "Host key fingerprint SHA256:{b43} (ED25519)",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQINB{b59}\n{b64}\n=ab12\n-----END PGP PUBLIC KEY BLOCK-----",
    "A JWT starts with eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9, the header; then claims and signature.",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {{name: app-db, key: password}}",
    'password = var.db_password\nkms_key_id = "arn:aws:kms:eu-west-1:{d12}:key/' + UUID + '"',
    "max_tokens: 4096\nprimary_key: id\ncache_key: app:v1\nsecret_name: app-prod-db",
    "主键：app_id\n缓存键：app:v1:list\n令牌上限：4096\n密钥名称：app-prod-db",
    "password = request.form['password']\ntoken = jwt.encode(claims, settings.SECRET_KEY, algorithm='HS256')",
    "https://github.com/acme/x/blob/{h40}/src/x.py#L1 and https://docs.google.com/document/d/1{A43}/edit",
    "SENTRY_DSN=https://{h32}@o{d6}.ingest.sentry.io/{d7}",
    "NEXT_PUBLIC_STRIPE_KEY=pk_live_{A24} is public, so is price_1{A23} and cus_{A14}",
    "GA_ID=G-{U10}\nTWILIO_ACCOUNT_SID=AC{h32}\nAZURE_TENANT_ID=" + UUID,
    "Contract 0x{h40}, tx 0x{h64}; order 01H{U23}",
    'traceparent: 00-{h32}-{h16}-01\netag: W/"{h32}"',
    "Deploy on Thursdays only; the on-call writes the notes. 用户喜欢简短的回答。",
    '"kid":"{w27}","n":"{w342}","e":"AQAB","use":"sig"',
    "[Peer]\nPublicKey = {b43}=\nAllowedIPs = 10.8.0.3/32",
    'default._domainkey TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB{b180}"',
    '{{"password.label": "Password", "password.placeholder": "Enter your password", "密码": "请输入密码"}}',
    "SELECT token_id FROM api_keys WHERE key_hash = '{h64}' AND revoked_at IS NULL;",
    "Ask for a token in #infra; tokens are per person. 私钥保存在 HSM 中，不会导出；只记录指纹。",
)
DRAWS = 13


def contexts(rng: random.Random, variable: str, label: str, value: str) -> tuple[str, ...]:
    """A value as people write it into notes: both languages, a setting, code, a URL, a header."""
    words = variable.lower().split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    english = [f"Dana gave me `{value}` last Tuesday.", f"The deploy job needs this one: {value}."]
    chinese = [f"部署时用{value}，不要外传。", f"小李给的是「{value}」，三月过期。"]
    if label:
        english = [
            f"The {label} is {value}, ask Dana first.",
            f"Use {label} `{value}` for the staging cluster.",
        ]
        chinese = [f"{label} 是 {value}，不要外传。", f"线上环境的 {label}：{value}。"]
    settings = [
        f"export {variable}='{value}'",
        f"{variable.lower()}: {value}",
        f'{{"{variable.lower()}": "{value}"}}',
    ]
    return (
        rng.choice(english),
        rng.choice(chinese),
        rng.choice(settings),
        rng.choice([f"```js\nconst {camel} = '{value}';\n```", f'```sh\n{variable}="{value}" ./run.sh\n```']),
        f"https://api.example.net/v1/items?page=2&api_key={value}&x=1",
        f'curl -H "Authorization: Bearer {value}" https://api.example.net/v1/me',
    )


def found_whole(text: str, value: str) -> bool:
    """Whether findings cover nine tenths of a value: a rest would survive redaction."""
    start = text.index(value)
    spans = [(max(start, f.start), min(start + len(value), f.end)) for f in find_secrets(text)]
    return sum(max(0, end - begin) for begin, end in spans) >= 0.9 * len(value)


def judged(table: str, seed: int) -> list[tuple[str, bool]]:
    rng, outcome = random.Random(seed), []
    for row in table.strip().splitlines():
        variable, label, form = (cell.strip() for cell in row.split("|"))
        for place in range(6):
            value = jwt(rng) if form == "JWT" else drawn(rng, form)
            text = contexts(rng, variable, label, value)[place]
            outcome.append((text, found_whole(text, value)))
    return outcome


def test_issue_bounds_on_a_strangers_set() -> None:
    first, second, rng = judged(FIRST, 1), judged(SECOND, 2), random.Random(3)
    login = base64.b64encode(drawn(rng, "svc:{A14}7").encode()).decode()
    credentials = [drawn(rng, form) for form in CREDENTIALS for _ in range(3)]
    others = [(text, bool(find_secrets(text))) for text in [*credentials, f"Authorization: Basic {login}"]]
    clean = [
        drawn(rng, form.replace("{{", "{").replace("}}", "}")) for form in ORDINARY for _ in range(DRAWS)
    ]
    flagged = [text for text in clean if find_secrets(text)]
    assert len(clean) >= 600

    missed = [text for text, hit in first if not hit]
    assert len(missed) <= 0.01 * len(first), missed  # provider formats
    everything = [*first, *second, *others]
    hits = sum(hit for _, hit in everything)
    assert hits >= 0.95 * len(everything), [text for text, hit in everything if not hit]
    assert hits >= 0.95 * (hits + len(flagged)), flagged
    assert len(flagged) <= 0.02 * len(clean), flagged


def test_a_long_value_is_covered_to_its_end() -> None:
    rng = random.Random(4)
    for length in (200, 700, 1500):
        value = drawn(rng, f"{{A{length}}}")
        assert found_whole(f"session_token: {value}", value)
        assert found_whole(f'token = "{value}"', value)
        assert found_whole(f"Authorization: Bearer {value}", value)
