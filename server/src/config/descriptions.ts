import type { Settings } from './settings'

/** Markdown for one row of docs/configuration.md. The default comes from the schema unless `default` replaces it. */
interface SettingDescription {
  description: string
  default?: string
  /** Variables of an existing installation that `config.ts` combines into this one. */
  combinedFrom?: string[]
}

export interface SettingGroup {
  title: string
  settings: Partial<Record<keyof Settings, SettingDescription | string>>
}

/** One description per setting, in the order of docs/configuration.md. Run `npm run docs` after a change. */
export const settingGroups: SettingGroup[] = [
  {
    title: 'Server',
    settings: {
      PORT: 'Port of the console and the API.',
      HOST: 'Address to listen on. `0.0.0.0` listens on all addresses.',
      PUBLIC_URL: {
        description:
          'URL at which users reach the console. Links in e-mails start with it. With `https`, browsers use only HTTPS from then on (HSTS).',
        default: '`http://HOST:PORT`',
      },
      API_BASE_URL:
        'URL of an existing API. If set, the server serves the console only and stores nothing. See [Existing platform](existing-platform.md#console-only).',
      DATA_DIR:
        'Folder of the SQLite file, the generated secrets and the recordings. One process at a time may use it.',
      LOG_LEVEL: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
      TRUST_PROXY: 'Number of reverse proxies in front of the server.',
      METRICS_PORT: 'Port at which Prometheus reads `/metrics`. It needs no credential.',
      METRICS_HOST: 'Address that `METRICS_PORT` listens on. Choose one that only Prometheus can reach.',
      SHUTDOWN_DELAY:
        'Seconds after SIGTERM or SIGINT in which `/readyz` fails, but requests are still accepted. Set it to what your load balancer needs to notice.',
      SHUTDOWN_TIMEOUT: 'Seconds that running requests may take to finish after SIGTERM or SIGINT.',
    },
  },
  {
    title: 'Traces of the server (OpenTelemetry)',
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT:
        'URL of an OpenTelemetry collector, as in `http://collector:4318`. The server sends spans of its own work to `/v1/traces` below it. See [Operations](operations.md#traces-of-the-server).',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
        'Complete URL for the spans, as in `http://collector:4318/v1/traces`. Used instead of `OTEL_EXPORTER_OTLP_ENDPOINT`.',
      OTEL_EXPORTER_OTLP_HEADERS:
        'Headers for the collector, as in `Authorization=Bearer%20TOKEN`: a comma-separated list of `name=value` with percent-encoded values.',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'The same for spans only. Added to `OTEL_EXPORTER_OTLP_HEADERS`.',
      OTEL_EXPORTER_OTLP_TIMEOUT: 'Milliseconds that an export may take, with its retries.',
      OTEL_EXPORTER_OTLP_PROTOCOL:
        '`http/json` or `http/protobuf`. Spans are sent as JSON over HTTP in any case; with `grpc` the server prints a warning.',
      OTEL_SERVICE_NAME: { description: 'Name of the server in its traces.', default: '`trunkline`' },
      OTEL_RESOURCE_ATTRIBUTES:
        'Attributes of the server in its traces, as in `deployment.environment.name=production`: a comma-separated list of `name=value`.',
      OTEL_TRACES_SAMPLER:
        'Which traces are recorded: `always_on`, `always_off`, `traceidratio`, or with the prefix `parentbased_`, as in `parentbased_traceidratio`. With the prefix, the caller decides about requests that have a `traceparent` header.',
      OTEL_TRACES_SAMPLER_ARG: 'Share of the recorded traces for the samplers with `traceidratio`, from 0 to 1.',
      OTEL_SDK_DISABLED: 'Records no spans, even if there is a collector.',
    },
  },
  {
    title: 'Database',
    settings: {
      DATABASE_URL: {
        description: '`mysql://user:password@host:3306/name` for MySQL or MariaDB, or the path of an SQLite file.',
        default: '`trunkline.sqlite` in `DATA_DIR`',
        combinedFrom: [
          'JAMBONES_MYSQL_HOST',
          'JAMBONES_MYSQL_PORT',
          'JAMBONES_MYSQL_USER',
          'JAMBONES_MYSQL_PASSWORD',
          'JAMBONES_MYSQL_DATABASE',
        ],
      },
      DATABASE_CONNECTIONS: 'Maximum number of connections to MySQL or MariaDB.',
      DATABASE_TIMEOUT_SECONDS:
        'Seconds to wait for a connection or for the result of a statement. After that the request gets 503 and the connection is replaced.',
      DATABASE_CA_FILE: 'File with the certificate authority for TLS to MySQL or MariaDB.',
    },
  },
  {
    title: 'Secrets and the first administrator',
    settings: {
      JWT_SECRET: {
        description: 'Signs session tokens. At least 8 characters; the server warns about fewer than 16.',
        default: 'generated, stored in `DATA_DIR`',
      },
      JWT_EXPIRES_IN: 'Minutes until a session expires.',
      ENCRYPTION_SECRET: {
        description: 'Encrypts the credentials in the database.',
        default: '`JWT_SECRET` if set, else generated and stored in `DATA_DIR`',
      },
      LEGACY_CRYPTO: {
        description:
          'Any value, even `false`, selects the older cipher (AES-256-CTR), for databases that were written with it.',
        default: '',
      },
      INITIAL_ADMIN_PASSWORD: {
        description: 'Password of the first administrator, `admin`. Used when the database is created.',
        default: 'random, printed once',
      },
      INITIAL_ADMIN_API_KEY: 'A UUID. The first start creates an administrator API key with this token.',
    },
  },
  {
    title: 'E-mail',
    settings: {
      SMTP_URL:
        '`smtp://user:password@host:587` or `smtps://…`. Enables password reset by e-mail. Requires `MAIL_FROM`.',
      MAIL_FROM: 'Sender of e-mails, as in `Trunkline <no-reply@example.com>`. Required with `SMTP_URL`.',
    },
  },
  {
    title: 'Live state of the platform (Redis)',
    settings: {
      REDIS_URL: {
        description:
          '`redis://user:password@host:6379`, or `rediss://` for TLS. The Redis in which the platform stores its calls in progress, its registrations and its cached speech. For Sentinel see [below](#redis-sentinel).',
        combinedFrom: [
          'JAMBONES_REDIS_HOST',
          'JAMBONES_REDIS_PORT',
          'JAMBONES_REDIS_USERNAME',
          'JAMBONES_REDIS_PASSWORD',
          'ENABLE_JAMBONES_REDIS_TLS',
        ],
      },
      CLUSTER_ID: 'Name under which the feature servers register in Redis.',
      FEATURE_SERVER_URL: {
        description: 'One URL for all feature servers. Without it they are looked up in Redis.',
        combinedFrom: ['K8S', 'K8S_FEATURE_SERVER_SERVICE_NAME', 'K8S_FEATURE_SERVER_SERVICE_PORT'],
      },
      FEATURE_SERVER_API_VERSION:
        'Version in the path of feature server URLs, as in `/v1/updateCall`. Used when a call is changed.',
    },
  },
  {
    title: 'Calls, alerts and traces from voice servers',
    settings: {
      ENABLE_INGEST: 'Accepts call records, alerts, traces and recordings on `PORT`. Each request needs an API key.',
      INGEST_PORT: 'Port for the platform’s own servers, which write without a key.',
      INGEST_HOST: 'Address that `INGEST_PORT` listens on. Choose one that only those servers can reach.',
      INGEST_POINTS_PER_MINUTE:
        'Call records and alerts that one tenant may write with its API keys per minute. Beyond it requests get 429 with `Retry-After`. 0: no limit. Administrator keys and `INGEST_PORT` are not limited.',
      INGEST_SPANS_PER_MINUTE: 'The same limit for trace spans.',
      INGEST_MEBIBYTES_PER_MINUTE:
        'The same limit for the decompressed size of call records, alerts and spans together, in MiB.',
      CALL_RETENTION_DAYS: 'Days to keep call records in the database or in ClickHouse. 0: forever.',
      ALERT_RETENTION_DAYS: 'Days to keep alerts in the database or in ClickHouse. 0: forever.',
      TRACE_RETENTION_DAYS: 'Days to keep traces in the database. 0: forever.',
      INFLUX_URL: {
        description:
          'InfluxDB 1.x, `http://user:password@host:8086`. Calls and alerts are read from and written to it instead of the database.',
        combinedFrom: ['JAMBONES_TIME_SERIES_HOST'],
      },
      CLICKHOUSE_URL:
        'ClickHouse 24 or newer, `http://user:password@host:8123/database` (`trunkline` if no database is named). Calls and alerts are read from and written to it instead of the database. Not together with `INFLUX_URL`. See [Scaling](scaling.md).',
      JAEGER_URL:
        'URL of a Jaeger that stores the traces. Without it they are received at `/v1/traces` and stored here.',
    },
  },
  {
    title: 'SIP captures',
    settings: {
      HEP_PORT: 'Port for captured SIP messages in HEP version 3, over UDP and TCP. They are stored in the database.',
      HEP_HOST: 'Address that `HEP_PORT` listens on. Choose one that only the capturing servers can reach.',
      HEP_KEY:
        'Key that senders must include in the HEP authentication chunk. Without it anyone who reaches the port can write.',
      HEP_IDLE_SECONDS: 'Seconds after which an idle HEP connection over TCP is closed. 0: never.',
      HEP_CONNECTIONS_PER_ADDRESS:
        'Maximum number of HEP connections over TCP from one address. All addresses together may have 256.',
      CAPTURE_RETENTION_DAYS: 'Days to keep captured messages. 0: forever.',
      HOMER_BASE_URL: 'URL of a Homer 7 that stores the captures instead. Cannot be combined with `HEP_PORT`.',
      HOMER_USERNAME: 'Homer user. Required with `HOMER_BASE_URL`.',
      HOMER_PASSWORD: 'Password of the Homer user. Required with `HOMER_BASE_URL`.',
    },
  },
  {
    title: 'Recordings',
    settings: {
      RECORDING_RETENTION_DAYS: 'Days to keep recordings in `DATA_DIR`, counted from their arrival. 0: forever.',
      RECORDING_MAX_BYTES_PER_ACCOUNT: {
        description: 'Bytes of recordings that one account may store in `DATA_DIR`. More are refused. 0: no limit.',
        default: '107374182400 (100 GiB)',
      },
      RECORDING_MAX_STREAMS_PER_KEY:
        'Recordings that may be streamed at the same time with the API keys of one account or service provider. 0: no limit.',
      RECORDING_STREAM_USERNAME:
        'A voice server that connects with this username and `RECORDING_STREAM_PASSWORD` may stream recordings of all accounts.',
      RECORDING_STREAM_PASSWORD: 'Required with `RECORDING_STREAM_USERNAME`.',
      RECORDING_ORIGINS:
        'Comma-separated origins of other servers that store recordings. The console draws the waveforms of their recordings if those servers allow it (CORS). Recordings of other origins play without a waveform.',
    },
  },
  {
    title: 'System logs',
    settings: {
      AWS_REGION: 'Region of the CloudWatch logs of the platform’s servers. Without it calls have no system logs.',
      SYSTEM_LOG_GROUPS: 'Comma-separated log groups in which calls may be looked up. The first is the default.',
    },
  },
  {
    title: 'Limits and security',
    settings: {
      RATE_LIMIT_MAX:
        'Requests that one credential may send in a rate-limit window (`RATE_LIMIT_MINUTES`). Requests without a credential are counted per client network. Each process counts separately.',
      RATE_LIMIT_MINUTES: 'Length of the rate-limit window in minutes.',
      DISABLE_RATE_LIMITS: 'Switches the rate limit off.',
      LOGIN_ATTEMPTS_MAX_RETRIES:
        'Wrong passwords for one user from one client network (an IPv4 address or an IPv6 /64) before that network can no longer sign in as the user.',
      LOGIN_ATTEMPTS_TIME: 'Seconds that a lock-out lasts.',
      ENFORCE_PASSWORD_CHANGE:
        'The API refuses the requests of users who must change their password first. If false, only the console enforces the change. No effect in the hosted edition, which forces nobody to change the password.',
      APPLY_DB_LIMITS:
        'Limits how many records an account may add for itself: 50 applications, 10 carriers, 150 SIP gateways and 200 phone numbers. Administrators and service providers have no limit.',
      UNUSED_WEBHOOKS_MAX:
        'Webhooks created with `POST /Webhooks` that nothing uses yet, per account or service provider. More get 422; unused ones are deleted after 24 hours. 0: no limit.',
      ADMIN_CARRIER:
        'Accounts cannot write carriers and SIP gateways, and cannot add phone numbers. The console hides these actions.',
      MIN_GATEWAY_NETMASK: 'Smallest netmask that a gateway may have: 24 refuses networks larger than a /24.',
      APP_ENV_PRIVATE_TARGETS:
        'Allows webhook tests, and OPTIONS requests for an application’s environment variables, to private networks.',
      SPEECH_PRIVATE_TARGETS: 'Allows requests to speech servers in private networks, for tests and lists of voices.',
      BUCKET_PRIVATE_TARGETS:
        'Allows recording buckets in private networks, such as your own MinIO or a private Azure endpoint.',
    },
  },
  {
    title: 'Connections',
    settings: {
      MAX_CONNECTIONS: 'Open connections per port. Further connections are closed.',
      HEADERS_TIMEOUT: 'Seconds in which the headers of a request must arrive.',
      KEEP_ALIVE_TIMEOUT:
        'Seconds that an idle connection stays open. Set it higher than the idle timeout of the proxy in front of the server.',
      BODY_TIMEOUT: 'Seconds over which the transfer rate of a request body is measured. 0: no minimum rate.',
      BODY_MIN_RATE: 'Minimum transfer rate of a request body in bytes per second. Slower requests get 408.',
    },
  },
  {
    title: 'Features of the console',
    settings: {
      ENABLE_FORGOT_PASSWORD: {
        description: 'Offers password reset by e-mail. Off by default if `API_BASE_URL` is set.',
        default: 'on with `SMTP_URL`',
      },
      ENABLE_ACCOUNT_LIMITS_ALL:
        'Shows four limits of an account: Max calls, Licensed calls, Max minutes and Licensed minutes. Only administrators may then set them. If false, only Max calls is shown.',
      DISABLE_CUSTOM_SPEECH: 'Hides custom speech vendors.',
      DISABLE_ADDITIONAL_SPEECH_VENDORS: 'Hides Speechmatics.',
      DISABLE_LCR: 'Hides outbound call routing.',
      DISABLE_DEFAULT_TRUNK_ROUTING: 'Only administrators may choose the default application of a carrier.',
      DISABLE_TRACING: 'Hides call traces.',
      DISABLE_CALL_RECORDING: 'Hides call recording.',
      DISABLE_SYSTEM_LOGS: 'Hides system logs of calls, even if `AWS_REGION` is set.',
      CONSOLE_NOTICE: 'A sentence above every screen of the console, at most 200 characters.',
      ALERT_POLL_SECONDS: 'Seconds between two counts of new alerts. 0: count once, after sign-in.',
    },
  },
  {
    title: 'Hosted edition',
    settings: {
      ENABLE_HOSTED_SYSTEM:
        'Enables the [hosted edition](hosted.md): people register their own accounts and pay for them. Requires `TERMS_URL`, `PRIVACY_URL` and, unless `API_BASE_URL` is set, `SMTP_URL`.',
      DEFAULT_SERVICE_PROVIDER_SID:
        'Service provider of the accounts that people register. It must have a root domain. Required if there are several providers.',
      TERMS_URL: 'URL of the terms of service, linked on the registration screen.',
      PRIVACY_URL: 'URL of the privacy policy, linked on the registration screen.',
      REQUIRE_INVITE_CODE: 'Registration requires an invite code.',
      TRIAL_DAYS: 'Length of the trial of a new account, in days.',
      TRIAL_CALL_SESSIONS: 'Calls that an account may have at the same time during its trial.',
      SAMPLE_APPLICATIONS_URL:
        'Server with the sample applications `hello-world`, `dial-time` and `echo`. If set, each new account gets an application for each of them.',
      GITHUB_CLIENT_ID: 'Client ID for sign-in with GitHub. If not set, the button is hidden.',
      GITHUB_CLIENT_SECRET: 'Client secret for sign-in with GitHub. Required together with `GITHUB_CLIENT_ID`.',
      GITHUB_AUTHORIZATION_URL: 'Page on which users allow sign-in with GitHub.',
      GITHUB_TOKEN_URL: 'Token endpoint of GitHub.',
      GITHUB_API_URL: 'API of GitHub, for the name and email address of the user.',
      GOOGLE_CLIENT_ID: 'Client ID for sign-in with Google. If not set, the button is hidden.',
      GOOGLE_CLIENT_SECRET: 'Client secret for sign-in with Google. Required together with `GOOGLE_CLIENT_ID`.',
      GOOGLE_AUTHORIZATION_URL: 'Page on which users allow sign-in with Google.',
      GOOGLE_TOKEN_URL: 'Token endpoint of Google.',
      GOOGLE_USERINFO_URL: 'URL with the name and email address of a Google user.',
      STRIPE_API_KEY: 'Secret key of Stripe. If not set, accounts cannot pay.',
      STRIPE_WEBHOOK_SECRET: 'Signing secret of the Stripe webhook. Required together with `STRIPE_API_KEY`.',
      STRIPE_PUBLISHABLE_KEY: 'Publishable key of Stripe, for the card form. Required together with `STRIPE_API_KEY`.',
      STRIPE_API_URL: 'API of Stripe.',
      STRIPE_JS_URL: 'Script that draws the card form; for tests. If not set, it comes from Stripe.',
      DNS_MADE_EASY_API_KEY:
        'API key of DNS Made Easy, which creates DNS records for SIP realms. If not set, none are created.',
      DNS_MADE_EASY_API_SECRET: 'API secret of DNS Made Easy. Required together with `DNS_MADE_EASY_API_KEY`.',
      DNS_MADE_EASY_URL: 'API of DNS Made Easy.',
    },
  },
]
