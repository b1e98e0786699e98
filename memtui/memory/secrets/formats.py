"""The formats that providers document: prefix, alphabet and length of each token (reliability §4).

Lengths are the documented ones. Where a provider calls its tokens opaque, or has changed their length before, the lower
bound lies below today's length. Publishable keys (``pk_live_``, Sentry DSNs) and user names (Twilio's account
SID) are no secrets and not here.

One format a line: id, provider, hints, pattern with the random part in a group, description, and marks where it needs some.
Hints are literals (blank-separated), one of which begins every match, or stands in it where the line is marked
``floating``. The other marks say what the random part must be; without one it must look drawn. ``inner``: the value is the
group alone. ``mixed``: letters and digits must both occur in it, since words could fill it. ``unnamed``: it must not read
as a name. ``gaps``: runs of one letter belong to the format. ``checksummed``, ``strong`` and ``jwt``: see the checks of
those names in ``rules``. A line that begins with ``#`` is a heading.
"""

from __future__ import annotations

FORMATS = r"""
# Keys
age-key | age | AGE-SECRET-KEY-1 | AGE-SECRET-KEY-1([QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}) | age identity (Bech32)
# Code hosts and registries
github-token | GitHub | ghp_ gho_ ghu_ ghs_ ghr_ | gh[pousr]_([A-Za-z0-9]{36,255}+) | personal, OAuth, user, server or refresh token | checksummed
github-fine-grained | GitHub | github_pat_ | github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59}) | fine-grained personal access token
gitlab-token | GitLab | glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glimt- glagent- glsoat- gloas- glffct- glwt- | gl(?:pat|dt|rt|rtr|ptt|cbt|ft|imt|agent|soat|oas|ffct|wt)-([A-Za-z0-9_-]{20,300}+(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?) | access, deploy, runner, trigger, job, feed, agent or OAuth token
gitlab-runner-registration | GitLab | GR1348941 | GR1348941([A-Za-z0-9_-]{20})(?![A-Za-z0-9_-]) | runner registration token
npm-token | npm | npm_ | npm_([A-Za-z0-9]{36}) | granular or automation access token | checksummed
pypi-token | PyPI | pypi-AgE | pypi-AgE([A-Za-z0-9_-]{50,400}+) | upload token (macaroon)
rubygems-key | RubyGems | rubygems_ | rubygems_([0-9a-f]{48}) | API key
crates-token | crates.io | cio | cio([A-Za-z0-9]{32}) | API token | mixed
docker-token | Docker Hub | dckr_pat_ dckr_oat_ | dckr_[po]at_([A-Za-z0-9_-]{27,36}+) | personal or organisation access token
artifactory-key | JFrog | AKCp | AKCp([A-Za-z0-9]{69}) | API key
jfrog-reference-token | JFrog | cmVmdGtu | cmVmdGtu([A-Za-z0-9]{55,56}=?) | reference token
sourcegraph-token | Sourcegraph | sgp_ | sgp_((?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}) | access token
gitea-token | Gitea | gto_ | gto_([a-z0-9]{52}) | OAuth token
docker-swarm-token | Docker | SWMTKN-1- | SWMTKN-1-([a-z0-9]{50}-[a-z0-9]{25}) | join token of a swarm
nuget-key | NuGet | oy2 | oy2([a-z0-9]{43}) | API key | mixed
clojars-token | Clojars | CLOJARS_ | CLOJARS_([a-z0-9]{60}) | deploy token
# Clouds
aws-access-key-id | AWS | AKIA ASIA ABIA ACCA | A(?:KIA|SIA|BIA|CCA)([A-Z0-9]{16}) | access key id, permanent or temporary
aws-bedrock-key | AWS | ABSK | ABSK([A-Za-z0-9+/]{100,280}+={0,2}+) | Bedrock API key
aws-bedrock-short-key | AWS | bedrock-api-key- | bedrock-api-key-([A-Za-z0-9+/]{60,3000}+={0,2}+) | short-lived Bedrock API key
aws-session-token | AWS | IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz | (?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)([A-Za-z0-9+/]{100,2000}+={0,2}+) | session token of temporary credentials
aws-mws-token | AWS | amzn.mws. | amzn\.mws\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | Marketplace Web Service token
google-api-key | Google | AIza | AIza([A-Za-z0-9_-]{35})(?![A-Za-z0-9_-]) | API key
google-oauth-token | Google | ya29. | ya29\.([A-Za-z0-9_-]{20,400}+) | OAuth access token
google-client-secret | Google | GOCSPX- | GOCSPX-([A-Za-z0-9_-]{28})(?![A-Za-z0-9_-]) | OAuth client secret
google-refresh-token | Google | 1//0 | 1//0([A-Za-z0-9_-]{40,200}+) | OAuth refresh token
firebase-server-key | Google | AAAA | AAAA([A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{120,160}+) | Firebase Cloud Messaging server key
azure-storage-key | Azure | AccountKey= SharedAccessKey= | (?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,86}+={0,2}+)(?![=]) | storage, Cosmos DB or Service Bus key in a connection string | inner
azure-client-secret | Azure | Q~ | (?<![A-Za-z0-9_~.-])([A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}+)(?![A-Za-z0-9_~-]) | application (client) secret | floating
azure-sas | Azure | sig= | sig=([A-Za-z0-9+/]{10,44}+(?:%(?:2[BFbf]|3[Dd])[A-Za-z0-9+/]{0,44}+){1,8}+|[A-Za-z0-9+/]{43}=) | signature of a shared access URL | inner
azure-devops-token | Azure | AZDO | (?<![A-Za-z0-9])([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9]) | DevOps personal access token | floating
azure-ai-key | Azure | JQQJ99 | (?<![A-Za-z0-9])([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}[A-Z0-9]{4}[A-Za-z0-9]{4})(?![A-Za-z0-9]) | OpenAI, AI services or other key of the 84-character form | floating
azure-annotated-key | Azure | +ASt +ABa ACDb +ACR AzSe AzFu +AEh +ASb +ARm AIoT AzCa | (?<![A-Za-z0-9+/_-])([A-Za-z0-9+/]{76}(?:\+ASt|\+ABa|ACDb)[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{42}(?:\+ACR|AzSe)[A-Za-z0-9+/]{6}|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{4,6}+={0,2}+|[A-Za-z0-9+/]{33}(?:\+AEh|\+ASb|\+ARm|AIoT|AzCa)[A-Za-z0-9+/]{6}=)(?![A-Za-z0-9+/=_-]) | storage, Cosmos DB, registry, search, function, messaging, IoT or cache key that bears its service's mark | floating
azure-function-key | Azure | azurewebsites.net/api/ | azurewebsites\.net/api/[A-Za-z0-9_/-]{0,80}+\?code=([A-Za-z0-9_/+-]{40,64}+={0,2}+) | function key in a URL
digitalocean-token | DigitalOcean | dop_v1_ doo_v1_ dor_v1_ | do[opr]_v1_([0-9a-f]{64}) | personal, OAuth or refresh token
alibaba-key-id | Alibaba Cloud | LTAI | LTAI([A-Za-z0-9]{12,24}+) | access key id | mixed
tencent-secret-id | Tencent Cloud | AKID | AKID([A-Za-z0-9]{32}) | secret id | mixed
databricks-token | Databricks | dapi | dapi([0-9a-f]{32}(?:-[0-9])?) | personal access token
vault-token | HashiCorp Vault | hvs. hvb. hvr. | hv[sbr]\.([A-Za-z0-9_-]{24,300}+) | service, batch or recovery token
vault-legacy-token | HashiCorp Vault | s. | s\.([A-Za-z0-9]{24})(?![A-Za-z0-9_(-]|\.[A-Za-z0-9]) | service token of Vault before 1.10 | unnamed
terraform-token | HCP Terraform | .atlasv1. | (?<![A-Za-z0-9])([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}+) | API token | floating
doppler-token | Doppler | dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. | dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}+\.)?([A-Za-z0-9]{40,44}+) | personal, service, CLI, SCIM or audit token
pulumi-token | Pulumi | pul- | pul-([0-9a-f]{40}) | access token
fly-token | Fly.io | fo1_ fm1a_ fm1r_ fm2_ | (?:fo1_([A-Za-z0-9_-]{43})|fm(?:1[ar]|2)_([A-Za-z0-9+/]{60,600}+={0,3}+)) | access token (macaroon)
netlify-token | Netlify | nfp_ nfc_ nfo_ nfb_ nfu_ | nf[pcobu]_([A-Za-z0-9_-]{36,44}+) | personal, CLI, build or UI token
vercel-token | Vercel | vcp_ vci_ vca_ vcr_ vck_ | vc[piark]_([A-Za-z0-9]{24,64}+) | personal, integration, app, refresh or gateway token
vercel-blob-token | Vercel | vercel_blob_rw_ | vercel_blob_rw_([A-Za-z0-9]{16}_[A-Za-z0-9]{30}) | blob store token
cloudflare-token | Cloudflare | cfut_ cfat_ cfk_ v1.0- | (?:cf(?:ut|at|k)_([A-Za-z0-9_-]{36,60}+)|v1\.0-([0-9a-f]{24}-[0-9a-f]{146})) | user, account or global key, or Origin CA key
heroku-key | Heroku | HRKU- | HRKU-([A-Za-z0-9_-]{36,70}+) | API key
render-key | Render | rnd_ | rnd_([A-Za-z0-9]{28,40}+) | API key | mixed
planetscale-token | PlanetScale | pscale_ | pscale_(?:tkn|pw|oauth)_([A-Za-z0-9_.=-]{32,64}+) | password, service or OAuth token
supabase-token | Supabase | sbp_ sb_secret_ | (?:sbp_([0-9a-f]{40})|sb_secret_([A-Za-z0-9_-]{22,60}+)) | access token or secret key
neon-key | Neon | napi_ | napi_([a-z0-9]{48,72}) | API key
aiven-password | Aiven | AVNS_ | AVNS_([A-Za-z0-9_-]{19,24}+) | service password
mongodb-atlas-secret | MongoDB | mdb_sa_sk_ | mdb_sa_sk_([A-Za-z0-9_-]{40}) | service account secret
alchemy-key | Alchemy | g.alchemy.com/v2/ | g\.alchemy\.com/v2/([A-Za-z0-9_-]{32})(?![A-Za-z0-9_-]) | API key in a URL
octopus-key | Octopus Deploy | API- | API-([A-Z0-9]{25,31}+) | API key | mixed
scalingo-token | Scalingo | tk-us- | tk-us-([A-Za-z0-9_-]{48})(?![A-Za-z0-9_-]) | API token
infracost-key | Infracost | ico- | ico-([A-Za-z0-9]{32}) | API key
deno-token | Deno | ddp_ ddo_ | dd[po]_([A-Za-z0-9]{36}) | deploy token
inngest-key | Inngest | signkey- | signkey-(?:prod|test|branch)-([0-9a-f]{64}) | signing key
axiom-token | Axiom | xaat- xapt- | xa[ap]t-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | API or personal token
daytona-key | Daytona | dtn_ | dtn_([0-9a-f]{64}) | API key
valtown-token | Val Town | vtwn_ | vtwn_([A-Za-z0-9]{22,48}+) | API token
trigger-key | Trigger.dev | tr_ | tr_(?:dev|prod|stg|preview)_([A-Za-z0-9]{18,26}+) | secret key | mixed
apify-token | Apify | apify_api_ | apify_api_([A-Za-z0-9]{36}) | API token
browserbase-key | Browserbase | bb_ | bb_(?:live|test)_([A-Za-z0-9_-]{26,36}+) | API key | mixed
zuplo-key | Zuplo | zpka_ | zpka_([0-9a-z]{32}_[0-9a-f]{8}) | API key
checkly-key | Checkly | cu_ | cu_([0-9a-f]{32}) | user API key
unkey-key | Unkey | unkey_ | unkey_([A-Za-z0-9]{16,32}+) | root key | mixed
sanity-token | Sanity | sk | sk([A-Za-z0-9]{120,200}+) | API token | mixed
convex-key | Convex | prod: dev: preview: | (?:prod|dev|preview):[a-z0-9:-]{3,60}+\|([A-Za-z0-9+/]{60,300}+={0,2}+) | deploy key
tailscale-key | Tailscale | tskey- | tskey-(?:auth|api|client|scim|webhook)-([A-Za-z0-9]{8,24}+-[A-Za-z0-9]{16,48}+) | auth, API, client, SCIM or webhook key
baidu-key | Baidu Cloud | bce-v3/ALTAK- | bce-v3/ALTAK-([A-Za-z0-9]{21}/[0-9a-f]{40}) | API key
volcengine-key-id | Volcengine | AKLT | AKLT([A-Za-z0-9]{36,48}) | access key id | mixed
yandex-key | Yandex Cloud | AQVN | AQVN([A-Za-z0-9_-]{35,38}) | API key
yandex-iam-token | Yandex Cloud | t1. | t1\.([A-Za-z0-9_-]{10,400}+={0,2}\.[A-Za-z0-9_-]{80,90}+={0,2}+) | IAM token
yandex-secret-key | Yandex Cloud | YC | (?<![+/_-])YC([A-Za-z0-9_-]{38})(?![A-Za-z0-9_+/=-]) | static secret access key | unnamed
yandex-oauth-token | Yandex | y0_ | y0_([A-Za-z0-9_-]{40,80}+) | OAuth token
# Models
anthropic-key | Anthropic | sk-ant- | sk-ant-[a-z]{3,5}+[0-9]{2}-([A-Za-z0-9_-]{24,200}+) | API, admin or OAuth key
openrouter-key | OpenRouter | sk-or- | sk-or-v1-([0-9a-f]{64}) | API key
openai-key | OpenAI | sk- | sk-(?:(?:proj|svcacct|admin|service|None)-([A-Za-z0-9_-]{32,250}+)|([A-Za-z0-9]{32,64}+)) | project, service account, admin or user key; also the same form at others
huggingface-token | Hugging Face | hf_ api_org_ | (?:hf_|api_org_)([A-Za-z0-9]{34}) | user or organisation token
groq-key | Groq | gsk_ | gsk_([A-Za-z0-9]{48,56}+) | API key
xai-key | xAI | xai- | xai-([A-Za-z0-9]{70,90}+) | API key
perplexity-key | Perplexity | pplx- | pplx-([A-Za-z0-9]{48,56}+) | API key
replicate-token | Replicate | r8_ | r8_([A-Za-z0-9]{37}) | API token
langsmith-key | LangSmith | lsv2_ | lsv2_(?:pt|sk)_([0-9a-f]{32}_[0-9a-f]{10}) | personal or service key
nvidia-key | NVIDIA | nvapi- | nvapi-([A-Za-z0-9_-]{60,80}+) | API key
pinecone-key | Pinecone | pcsk_ | pcsk_([A-Za-z0-9_]{40,90}+) | API key
tavily-key | Tavily | tvly- | tvly-(?:dev-|prod-)?([A-Za-z0-9]{28,60}+) | API key
cerebras-key | Cerebras | csk- | csk-([a-z0-9]{40,60}+) | API key | mixed
llamacloud-key | LlamaCloud | llx- | llx-([A-Za-z0-9]{40,60}+) | API key
elevenlabs-key | ElevenLabs | sk_ | sk_([0-9a-f]{48}) | API key
jina-key | Jina AI | jina_ | jina_([A-Za-z0-9_-]{50,70}+) | API key
e2b-key | E2B | e2b_ | e2b_([0-9a-f]{40}) | API key
langfuse-key | Langfuse | sk-lf- | sk-lf-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | secret key
together-key | Together AI | tgp_v1_ | tgp_v1_([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-]) | API key
fireworks-key | Fireworks AI | fw_ | fw_([A-Za-z0-9]{22,24}) | API key | mixed
wandb-key | Weights & Biases | wandb_v1_ | wandb_v1_([A-Za-z0-9_-]{60,90}+) | API key
firecrawl-key | Firecrawl | fc- | fc-([0-9a-f]{32}) | API key
runpod-key | RunPod | rpa_ | rpa_([A-Z0-9]{40,46}+) | API key
modal-token | Modal | ak- as- | a[ks]-([A-Za-z0-9]{22})(?![A-Za-z0-9_-]) | token id or secret | mixed
voyage-key | Voyage AI | pa- | pa-([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-]) | API key | mixed
helicone-key | Helicone | sk-helicone- | sk-helicone-((?:[a-z]{2}-)?[a-z0-9]{7}(?:-[a-z0-9]{7}){3}) | API key
brave-key | Brave | BSA | BSA([A-Za-z0-9_-]{28})(?![A-Za-z0-9_-]) | Search API key | mixed
logfire-token | Pydantic | pylf_ | pylf_v[0-9]_(?:[a-z]{2}_)?([A-Za-z0-9]{40,50}+) | Logfire token
composio-key | Composio | ak_ | ak_([A-Za-z0-9_-]{20})(?![A-Za-z0-9_-]) | API key | mixed
# Talk and mail
slack-token | Slack | xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp- xwfp- | (?:xox[bparscd]-|xoxe-|xoxe\.xox[bp]-|xapp-|xwfp-)([A-Za-z0-9%/+-]{20,260}+) | bot, user, app, refresh, configuration or workflow token | mixed
slack-webhook | Slack | hooks.slack.com/ | hooks\.slack\.com/(?:services|workflows|triggers)/([A-Z0-9]{8,14}+/[A-Z0-9]{8,14}+/[A-Za-z0-9/]{18,64}+) | incoming webhook or workflow URL | mixed
discord-token | Discord | . | (?<![A-Za-z0-9_.-])([MNO][A-Za-z0-9_-]{23,27}+\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}+)(?![A-Za-z0-9_-]|\.[A-Za-z0-9]) | bot token | mixed floating
discord-webhook | Discord | discord.com/api/ discordapp.com/api/ | discord(?:app)?\.com/api/(?:v[0-9]{1,2}+/)?webhooks/[0-9]{17,20}+/([A-Za-z0-9_-]{60,80}+) | webhook URL
telegram-token | Telegram | : | (?:(?<![0-9A-Za-z])|(?<=/bot))([0-9]{8,10}+:[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-]) | bot token | floating
sendgrid-key | SendGrid | SG. | SG\.([A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-]) | API key
twilio-key | Twilio | SK | SK([0-9a-f]{32}) | API key SID
mailgun-key | Mailgun | key- - | (?<![A-Za-z0-9-])(?:key-([0-9a-f]{32})|([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}))(?![A-Za-z0-9-]) | private or domain sending key | floating
mailchimp-key | Mailchimp | -us | (?<![A-Za-z0-9])([0-9a-f]{32})-us[0-9]{1,2}+(?![0-9A-Za-z]) | API key | floating
brevo-key | Brevo | xkeysib- xsmtpsib- | x(?:key|smtp)sib-([0-9a-f]{64}-[A-Za-z0-9]{16}) | API or SMTP key
resend-key | Resend | re_ | re_([A-Za-z0-9]{8}_[A-Za-z0-9]{24}) | API key | mixed
feishu-webhook | Feishu | open.feishu.cn/ open.larksuite.com/ | open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | bot webhook URL
dingtalk-webhook | DingTalk | oapi.dingtalk.com/ | oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-f]{64}) | bot webhook URL
wecom-webhook | WeCom | qyapi.weixin.qq.com/ | qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | bot webhook URL
teams-webhook | Microsoft | webhook.office.com/webhookb2/ | webhook\.office\.com/webhookb2/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | Teams webhook URL
zapier-webhook | Zapier | hooks.zapier.com/hooks/catch/ | hooks\.zapier\.com/hooks/catch/([0-9]{5,10}+/[a-z0-9]{6,12}+) | webhook URL | mixed
mailersend-key | MailerSend | mlsn. | mlsn\.([0-9a-f]{64}) | API token
klaviyo-key | Klaviyo | pk_ | pk_([0-9a-f]{34}) | private API key
vk-token | VK | vk1.a. | vk1\.a\.([A-Za-z0-9_-]{80,400}+) | access token
facebook-token | Meta | EAA | EAA([A-Za-z0-9]{90,400}+) | access token | mixed
twitter-token | X | AAAAAAAAAAAAAAAAAAAAA | A{20,24}+([A-Za-z0-9%]{60,160}+) | bearer token | gaps
# Money
stripe-key | Stripe | sk_live_ sk_test_ rk_live_ rk_test_ | [sr]k_(?:live|test)_([A-Za-z0-9]{24,247}+) | secret or restricted key
stripe-webhook-secret | Stripe | whsec_ | whsec_([A-Za-z0-9+/]{24,64}+={0,2}+) | webhook signing secret (also Svix)
square-token | Square | sq0atp- sq0csp- EAAA | (?:sq0atp-([A-Za-z0-9_-]{22})|sq0csp-([A-Za-z0-9_-]{43})|EAAA([A-Za-z0-9_-]{60}))(?![A-Za-z0-9_-]) | access token or application secret
shopify-token | Shopify | shpat_ shpca_ shppa_ shpss_ shpua_ shptka_ | shp(?:at|ca|pa|ss|ua|tka)_([0-9a-fA-F]{32}) | access token or shared secret
braintree-token | Braintree | access_token$ | access_token\$(?:production|sandbox)\$([0-9a-z]{16}\$[0-9a-f]{32}) | access token
flutterwave-key | Flutterwave | FLWSECK- FLWSECK_TEST- | FLWSECK(?:_TEST)?-([0-9a-zA-Z]{32}-X) | secret key
adyen-key | Adyen | AQE | AQE([A-Za-z0-9+/]{60,200}+(?:=|%3D)?-[A-Za-z0-9+/]{20,60}+(?:=|%3D){0,2}-[!-~]{10,40}+) | API key | mixed
paddle-key | Paddle | pdl_ | pdl_(?:live|sdbx)_apikey_([a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}) | API key
easypost-key | EasyPost | EZAK EZTK | EZ[AT]K([A-Za-z0-9]{54}) | API key
duffel-token | Duffel | duffel_ | duffel_(?:live|test)_([A-Za-z0-9_=-]{43})(?![A-Za-z0-9_-]) | API token
lob-key | Lob | live_ test_ | (?<!_)(?:live|test)_([0-9a-f]{35}) | secret API key
mollie-key | Mollie | live_ test_ | (?<!_)(?:live|test)_([A-Za-z0-9]{30})(?![A-Za-z0-9_-]) | API key | mixed
# Work
linear-key | Linear | lin_api_ lin_oauth_ | lin_(?:api|oauth)_([A-Za-z0-9]{40,64}+) | API key or OAuth token
notion-token | Notion | ntn_ secret_ | (?:ntn_([A-Za-z0-9]{40,50}+)|secret_([A-Za-z0-9]{43})) | integration token
atlassian-token | Atlassian | ATATT3 ATCTT3 ATBB | (?:AT[AC]TT3([A-Za-z0-9_=+/-]{50,300}+)|ATBB([A-Za-z0-9]{32})) | API token, or Bitbucket app password or access token
airtable-token | Airtable | pat | pat([A-Za-z0-9]{14}\.[0-9a-f]{64}) | personal access token
figma-token | Figma | figd_ figu_ | fig[du]_([A-Za-z0-9_-]{36,60}+) | personal access token
postman-key | Postman | PMAK- | PMAK-([0-9a-f]{24}-[0-9a-f]{34}) | API key
contentful-token | Contentful | CFPAT- | CFPAT-([A-Za-z0-9_-]{43}) | personal access token
onepassword-secret-key | 1Password | A3- | A3-([A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5})(?![A-Z0-9-]) | secret key of an account
maxmind-key | MaxMind | _mmk | (?<![A-Za-z0-9_])([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?![A-Za-z0-9_]) | licence key | floating
infisical-token | Infisical | st. | st\.([0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32})(?![0-9a-f]) | service token
teamcity-token | TeamCity | eyJ0eXAiOiAiVENWMiJ9. | eyJ0eXAiOiAiVENWMiJ9\.([A-Za-z0-9_-]{36}\.[A-Za-z0-9_-]{48}) | access token
defined-key | Defined Networking | dnkey- | dnkey-([A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}) | API key
onepassword-token | 1Password | ops_eyJ | ops_eyJ([A-Za-z0-9+/_-]{100,2000}+={0,2}+) | service account token
asana-token | Asana | 1/ 2/ | [12]/[0-9]{15,17}(?:/[0-9]{15,17})?:([0-9a-f]{32}) | personal access token
clickup-token | ClickUp | pk_ | pk_([0-9]{7,9}+_[A-Z0-9]{32}) | personal API token
salesforce-token | Salesforce | 00D | 00D([A-Za-z0-9]{12,15}+![A-Za-z0-9._]{80,120}+) | session id or access token
launchdarkly-key | LaunchDarkly | sdk- api- | (?:sdk|api)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | SDK key or access token
frameio-token | Frame.io | fio-u- | fio-u-([A-Za-z0-9_=-]{64})(?![A-Za-z0-9_-]) | API token
posthog-key | PostHog | phx_ phs_ | ph[xs]_([A-Za-z0-9]{40,48}+) | personal or secret key
adafruit-key | Adafruit IO | aio_ | aio_([A-Za-z0-9]{28}) | API key
stytch-secret | Stytch | secret-live- secret-test- | secret-(?:live|test)-([A-Za-z0-9_-]{36,50}+)=? | project secret
hubspot-token | HubSpot | pat-na1- pat-na2- pat-eu1- pat-ap1- | pat-(?:na|eu|ap)[12]-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | private app token
dropbox-token | Dropbox | sl. | sl\.(?:u\.)?([A-Za-z0-9_-]{120,1400}+) | short-lived access token
mapbox-token | Mapbox | sk.eyJ | sk\.(eyJ[A-Za-z0-9_-]{40,200}+\.[A-Za-z0-9_-]{22}) | secret token
typeform-token | Typeform | tfp_ | tfp_([A-Za-z0-9_.=-]{40,70}+) | personal access token
plaid-token | Plaid | access-sandbox- access-production- | access-(?:sandbox|development|production)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | access token
shippo-token | Shippo | shippo_live_ shippo_test_ | shippo_(?:live|test)_([0-9a-f]{40}) | API token
prefect-key | Prefect | pnu_ pnb_ | pn[ub]_([A-Za-z0-9]{36}) | API key
readme-key | ReadMe | rdme_ | rdme_([a-z0-9]{70}) | API key
# Watching
newrelic-key | New Relic | NRAK- NRJS- NRII- NRIQ- | (?:NRAK-([A-Z0-9]{27})|NRJS-([0-9a-f]{19})|NRI[IQ]-([A-Za-z0-9_-]{32})) | user, browser, ingest or insights key
newrelic-license-key | New Relic | NRAL | (?<![A-Za-z0-9])([A-Za-z0-9]{36}NRAL)(?![A-Za-z0-9]) | license (ingest) key | floating
honeycomb-key | Honeycomb | hc | hc[a-z](?:ik|lk|mk)_([a-z0-9]{58}) | ingest, configuration or management key
dynatrace-token | Dynatrace | dt0 | dt0[a-z][0-9]{2}\.([A-Z0-9]{24}\.[A-Z0-9]{64}) | API or platform token
datadog-token | Datadog | ddapp_ ddpat_ | dd(?:app|pat)_([A-Za-z0-9_]{32,80}+) | application key or personal access token
sentry-token | Sentry | sntrys_ sntryu_ | (?:sntrys_(eyJ[A-Za-z0-9=_+/-]{60,500}+)|sntryu_([0-9a-f]{64})) | organisation or user token
grafana-token | Grafana | glc_ glsa_ eyJrIjoi | (?:eyJrIjoi([A-Za-z0-9+/_-]{50,400}+={0,2}+)(?!\.[A-Za-z0-9_-])|glsa_([A-Za-z0-9]{32}_[0-9A-Fa-f]{8})|glc_([A-Za-z0-9+/]{32,400}+={0,3}+)) | cloud or service account token, or API key of older versions
sonar-token | SonarQube | squ_ sqp_ sqa_ | sq[upa]_([0-9a-f]{40}) | user, project or global token
buildkite-token | Buildkite | bkua_ bkct_ bkat_ | bk(?:ua|ct|at)_([A-Za-z0-9]{40,64}+) | API or agent token
circleci-token | CircleCI | CCIPAT_ CCIPRJ_ | CCIP(?:AT|RJ)_([A-Za-z0-9]{20,24}+_[0-9a-f]{40}) | personal or project token
# Known by fewer people
segment-token | Segment | sgp_ | sgp_([A-Za-z0-9]{64}) | public API token | mixed
confluent-secret | Confluent | cflt | cflt([A-Za-z0-9+/]{60}) | API secret | strong
zhipu-key | Zhipu AI | . | (?<![A-Za-z0-9.])([0-9a-f]{32}\.[A-Za-z0-9]{16})(?![A-Za-z0-9.]) | API key | floating unnamed
coze-token | Coze | pat_ | pat_([A-Za-z0-9]{64}) | personal access token
gocardless-token | GoCardless | live_ sandbox_ | (?<!_)(?:live|sandbox)_([A-Za-z0-9_-]{40})(?![A-Za-z0-9_-]) | access token | mixed
instagram-token | Meta | IGQ IGA | IG(?:Q[VW]|AA)([A-Za-z0-9_-]{90,300}+) | Instagram access token | mixed
linkedin-secret | LinkedIn | WPL_AP | WPL_AP[0-9]\.([A-Za-z0-9]{16}\.[A-Za-z0-9+/]{4,8}+={0,2}+) | client secret
okta-token | Okta | 00 | 00([A-Za-z0-9_-]{40})(?![A-Za-z0-9_=-]) | API token | unnamed
onfido-token | Onfido | api_live api_sandbox | api_(?:live|sandbox)(?:_[a-z]{2})?\.([A-Za-z0-9_-]{11}\.[A-Za-z0-9_-]{32}) | API token
rapidapi-key | RapidAPI | msh | (?<![A-Za-z0-9])([0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{12})(?![A-Za-z0-9]) | API key | floating
ably-key | Ably | : | (?<![A-Za-z0-9_.-])([A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{40,46}+)(?![A-Za-z0-9_-]) | API key | floating strong
ghost-key | Ghost | : | (?<![0-9A-Za-z:])([0-9a-f]{24}:[0-9a-f]{64})(?![0-9A-Za-z]) | admin API key | floating
snyk-token | Snyk | snyk_uat. snyk_sat. | snyk_[us]at\.([0-9a-f]{8}\.[A-Za-z0-9_.-]{40,800}+) | personal or service access token
twitch-token | Twitch | oauth: | oauth:([a-z0-9]{30}) | chat token | mixed
wakatime-key | WakaTime | waka_ | waka_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | API key
webex-token | Webex | _P | (?<![A-Za-z0-9])([A-Za-z0-9]{64}_P[A-Z0-9]{3}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![A-Za-z0-9-]) | bot token | floating
xata-key | Xata | xau_ | xau_([A-Za-z0-9]{32,48}+) | API key
zoho-token | Zoho | 1000. | 1000\.([0-9a-f]{32}\.[0-9a-f]{32}) | access or refresh token
bitwarden-token | Bitwarden | 0. | 0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.([A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==) | Secrets Manager access token
ory-token | Ory | ory_pat_ ory_at_ ory_rt_ ory_st_ ory_wak_ ory_apikey_ | ory_(?:pat|at|rt|st|wak|apikey)_([A-Za-z0-9_.-]{28,100}+) | personal, access, refresh, session or workspace token
tinybird-token | Tinybird | p.eyJ | p\.(eyJ[A-Za-z0-9_-]{40,300}+\.[A-Za-z0-9_-]{43}) | token
matrix-token | Matrix | syt_ mct_ mat_ mcr_ mar_ | (?:syt_([A-Za-z0-9+/=_-]{4,80}+_[A-Za-z]{20}_[A-Za-z0-9]{6})|m[ca][tr]_([A-Za-z0-9]{30}_[A-Za-z0-9]{6})) | access token of Synapse or of its login service
jsr-token | JSR | jsrp_ jsrd_ | jsr[pd]_([A-Za-z0-9]{32,64}+) | publishing token
onesignal-key | OneSignal | os_v2_ | os_v2_(?:app|org)_([a-z0-9]{60,120}+) | API key
scrapfly-key | Scrapfly | scp-live- scp-test- | scp-(?:live|test)-([0-9a-f]{32}) | API key
context7-key | Context7 | ctx7sk- | ctx7sk-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | API key
cursor-key | Cursor | crsr_ key_ | (?:crsr_|key_)([0-9a-f]{64}) | API key
chroma-key | Chroma | ck- | ck-([A-Za-z0-9]{40,50}+)(?![A-Za-z0-9_-]) | API key | mixed
turbopuffer-key | Turbopuffer | tpuf_ | tpuf_([A-Za-z0-9]{28,48}+) | API key
mem0-key | Mem0 | m0- | m0-([A-Za-z0-9]{40}) | API key | mixed
cartesia-key | Cartesia | sk_car_ | sk_car_([A-Za-z0-9_-]{20,40}+) | API key | mixed
fal-key | fal | : | (?<![0-9A-Za-z-])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{32})(?![0-9A-Za-z]) | API key | floating
intercom-token | Intercom | dG9rO | dG9rO([A-Za-z0-9+/_-]{35,80}={0,2}+) | access token (base64) | strong
ngrok-token | ngrok | _ | (?<![A-Za-z0-9_-])([123][A-Za-z0-9]{25,26}_[A-Za-z0-9]{20,22})(?![A-Za-z0-9_-]) | authtoken | floating unnamed
dingtalk-secret | DingTalk | SEC | SEC([0-9a-f]{64}) | signing secret of a bot
harness-token | Harness | pat. sat. | [ps]at\.([A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}) | personal or service account token
nightfall-key | Nightfall | NF- | NF-([A-Za-z0-9]{32}) | API key | mixed
endor-key | Endor Labs | endr+ | endr\+([A-Za-z0-9-]{16}) | API key | mixed
openshift-token | OpenShift | sha256~ | sha256~([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-]) | user token
netbird-key | NetBird | nbp_ | nbp_([A-Za-z0-9]{36}) | personal access token
xendit-key | Xendit | xnd_ | xnd_(?:production|development)_([A-Za-z0-9]{40,80}+) | secret key
mandrill-key | Mandrill | md- | md-([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-]) | API key | mixed
polar-token | Polar | polar_ | polar_(?:pat|oat)_([A-Za-z0-9]{32,60}+) | access token
serverchan-key | ServerChan | SCT sctp | (?:SCT[0-9]{1,8}+T|sctp[0-9]{1,8}+t)([A-Za-z0-9]{20,40}+) | send key
steel-key | Steel | ste- | ste-([A-Za-z0-9]{40,80}+) | API key | mixed
# Known to those who use them
aws-appsync-key | AWS | da2- | da2-([a-z0-9]{26}) | API key of AppSync | mixed
trello-token | Trello | ATTA | ATTA([0-9A-Fa-f]{72}) | API token
lichess-token | Lichess | lip_ lio_ | li[po]_([A-Za-z0-9]{20,24}+) | personal or OAuth token | mixed
bitbucket-dc-token | Atlassian | BBDC- | BBDC-([A-Za-z0-9+/@_-]{40,50}+) | HTTP access token of Bitbucket Data Center
dify-key | Dify | app- dataset- | (?:app|dataset)-(?=[a-z0-9]{0,24}[A-Z])(?=[A-Z0-9]{0,24}[a-z])([A-Za-z0-9]{24})(?![A-Za-z0-9_-]) | API key of an app or a knowledge base | mixed
mercadopago-token | Mercado Pago | APP_USR- TEST- | (?:APP_USR|TEST)-([0-9]{13,16}+-[0-9]{6}-[0-9a-f]{32}-[0-9]{5,12}+) | access token
cockroach-key | Cockroach Labs | CCDB1_ | CCDB1_([A-Za-z0-9]{22}_[A-Za-z0-9]{40}) | API key
astra-token | DataStax | AstraCS: | AstraCS:([A-Za-z0-9]{24}:[0-9a-f]{64}) | Astra application token
nostr-key | Nostr | nsec1 | nsec1([02-9ac-hj-np-z]{58}) | secret key (Bech32) | mixed
bip32-key | generic | xprv yprv zprv tprv | [xyzt]prv([1-9A-HJ-NP-Za-km-z]{107}) | extended private key of a wallet (BIP 32)
nats-seed | NATS | SU SA SO SC SN SX | S[ACNOUX][A-D]([A-Z2-7]{55}) | seed of an nkey | mixed
riot-key | Riot Games | RGAPI- | RGAPI-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | API key
roblox-cookie | Roblox | WARNING:-DO-NOT-SHARE-THIS | WARNING:-DO-NOT-SHARE-THIS\.[A-Za-z.,-]{1,200}\|_([A-Za-z0-9_.-]{100,1200}+) | session of a user
proxmox-token | Proxmox | PVEAPIToken= | PVEAPIToken=[^\s=!]{1,64}+![A-Za-z0-9_-]{1,64}+=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) | API token
rancher-token | Rancher | token- | token-[a-z0-9]{5}:([a-z0-9]{54}) | API token
k3s-token | K3s | K10 | K10[0-9a-f]{64}::(?:server|node):([A-Za-z0-9]{16,128}+) | join token of a cluster
portainer-token | Portainer | ptr_ | ptr_([A-Za-z0-9+/]{43}=) | access token
kong-token | Kong | kpat_ spat_ | [ks]pat_([A-Za-z0-9]{40,60}+) | personal or system access token
cloudflare-tunnel-token | Cloudflare | eyJhIjoi | eyJhIjoi([A-Za-z0-9+/_-]{100,400}+={0,2}+)(?!\.[A-Za-z0-9_-]) | token of a tunnel
neptune-token | Neptune | eyJhcGlfYWRkcmVzcyI6 | eyJhcGlfYWRkcmVzcyI6([A-Za-z0-9+/_-]{60,400}+={0,2}+)(?!\.[A-Za-z0-9_-]) | API token
telnyx-key | Telnyx | KEY | KEY([0-9A-F]{32}_[A-Za-z0-9]{22}) | API key
courier-token | Courier | pk_prod_ pk_test_ | pk_(?:prod|test)_([A-Z0-9]{28}) | authorization token | mixed
midtrans-key | Midtrans | Mid-server- SB-Mid-server- | (?:SB-)?Mid-server-([A-Za-z0-9_-]{20,30}+) | server key | mixed
omise-key | Omise | skey_ | skey_(?:test_)?([0-9a-z]{19}) | secret key | mixed
toss-key | Toss Payments | live_sk_ test_sk_ live_gsk_ test_gsk_ | (?<!_)(?:live|test)_g?sk_([A-Za-z0-9]{20,40}+) | secret key | mixed
honeybadger-key | Honeybadger | hbp_ | hbp_([A-Za-z0-9]{36}) | project key
elastic-key | Elastic | essu_ | essu_([A-Za-z0-9+/]{60,160}+={0,2}+) | Elastic Cloud API key
firehydrant-token | FireHydrant | fhb- | fhb-([0-9a-f]{32}) | API token
rootly-key | Rootly | rootly_ | rootly_([0-9a-f]{64}) | API key
socket-key | Socket | sktsec_ | sktsec_([A-Za-z0-9_-]{40,80}+) | API token | mixed
packagist-token | Packagist | packagist_ | packagist_[a-z]{2,4}_([0-9a-f]{60,80}+) | user or organisation token
databricks-secret | Databricks | dose | dose([0-9a-f]{32}) | OAuth secret of a service principal | mixed
scaleway-key-id | Scaleway | SCW | SCW([A-Z0-9]{17}) | access key id | mixed
exoscale-key-id | Exoscale | EXO | EXO([0-9a-f]{24}) | access key id | mixed
upcloud-token | UpCloud | ucat_ | ucat_([A-Z0-9]{26}) | API token | mixed
akamai-token | Akamai | akab- | akab-([a-z0-9]{16}-[a-z0-9]{16})(?![a-z0-9.-]) | EdgeGrid client or access token | mixed
ntfy-token | ntfy | tk_ | tk_([a-z0-9]{29}) | access token | mixed
ubidots-key | Ubidots | BBFF- BBUS- | BB(?:FF|US)-([A-Za-z0-9]{30,40}+) | API key or token | mixed
unleash-token | Unleash | production. development. | (?:production|development)\.([0-9a-f]{56}) | API token
devcycle-key | DevCycle | dvc_server_ | dvc_server_([A-Za-z0-9_]{36,80}+) | server SDK key | mixed
radar-key | Radar | prj_live_sk_ prj_test_sk_ | prj_(?:live|test)_sk_([0-9a-f]{40}) | secret key
fauna-secret | Fauna | fnA | fnA([A-Za-z0-9_-]{37,45}+) | secret | mixed
blockfrost-key | Blockfrost | mainnet preprod preview | (?:mainnet|preprod|preview)(?=[a-z0-9]{0,32}[A-Z])(?=[A-Z0-9]{0,32}[a-z])([A-Za-z0-9]{32}) | project id, which is its key | mixed
coingecko-key | CoinGecko | CG- | CG-(?=[a-z0-9]{0,24}[A-Z])(?=[A-Z0-9]{0,24}[a-z])([A-Za-z0-9]{24})(?![A-Za-z0-9_-]) | API key | mixed
quicknode-key | QuickNode | QN_ | QN_([0-9a-f]{32}) | API key
calcom-key | Cal.com | cal_ | cal_(?:live_|test_)?([0-9a-f]{32}) | API key
dub-key | Dub | dub_ | dub_([A-Za-z0-9]{24}) | API key | mixed
ifttt-key | IFTTT | maker.ifttt.com/trigger/ | maker\.ifttt\.com/trigger/[A-Za-z0-9_%-]{1,80}+/(?:json/)?with/key/([A-Za-z0-9_-]{20,60}+) | webhook URL | mixed
friendli-token | Friendli | flp_ | flp_([A-Za-z0-9]{40,50}+) | personal access token
upstage-key | Upstage | up_ | up_(?=[a-z0-9]{0,29}[A-Z])(?=[A-Z0-9]{0,29}[a-z])([A-Za-z0-9]{29})(?![A-Za-z0-9_-]) | API key | mixed
anyscale-key | Anyscale | esecret_ | esecret_([A-Za-z0-9]{24,48}+) | API key | mixed
windsurf-key | Windsurf | sk-ws- | sk-ws-[0-9]{2}-([A-Za-z0-9_-]{40,140}+) | service or user key | mixed
amp-token | Sourcegraph | sgamp_user_ | sgamp_user_([A-Z0-9]{26}_[0-9a-f]{64}) | access token of Amp
runway-key | Runway | key_ | key_([0-9a-f]{128}) | API key
google-studio-key | Google | AQ.Ab | AQ\.Ab([A-Za-z0-9_-]{46,60}+) | API key of AI Studio, the newer form | mixed
pinterest-token | Pinterest | pina_ pinr. | pin(?:a_|r\.)([A-Za-z0-9_-]{60,160}+) | access or refresh token | mixed
canva-secret | Canva | cnvca | cnvca([A-Za-z0-9_-]{40,60}+) | client secret | mixed
make-webhook | Make | hook.eu1.make.com/ hook.eu2.make.com/ hook.us1.make.com/ hook.us2.make.com/ | hook\.[eu][us][12]\.make\.com/([a-z0-9]{30,34}+) | webhook URL | mixed
paserk-secret | generic | k1. k2. k3. k4. | k[1-4]\.(?:secret|local)\.([A-Za-z0-9_-]{43,2000}+) | secret or local key of PASETO (PASERK)
paseto | generic | v1. v2. v3. v4. | v[1-4]\.(?:local|public)\.([A-Za-z0-9_-]{60,2000}+)(?:\.[A-Za-z0-9_-]{2,400}+)? | signed or encrypted token (PASETO)
# Frameworks
django-secret-key | Django | django-insecure- | django-insecure-([a-z0-9!@#$%^&*(_=+)-]{50}) | secret key as `startproject` writes it
# Last, since forms above may be carried in one
json-web-token | generic | eyJ | (?<![A-Za-z0-9_-])(eyJ[A-Za-z0-9_-]{8,1000}+)\.(eyJ[A-Za-z0-9_-]{4,4000}+)\.([A-Za-z0-9_-]{16,1400}+) | signed token whose header says its algorithm (RFC 7519) | jwt
prefixed-token | generic | api_ api- apikey_ apikey- secret_ secret- sk_ sk- pat_ pat- token_ token- key_ key- live_ live- prod_ prod- | (?<!pk_)(?:api|apikey|secret|sk|pat|token|key|live|prod)[_-](?:(?!live|test)[a-z]{2,8}[_-]){0,2}([A-Za-z0-9_-]{24,160}+)(?![A-Za-z0-9_-]) | drawn text after a word such as `sk_`, `api-` or `live_` | strong
"""
"""The table; of two formats that claim the same text, the earlier has it."""
