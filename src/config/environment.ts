import { z } from 'zod';
import { defaultQuotas } from '../modules/accounts/limits/limit-rules.js';
import { defaultPasswordCost } from '../modules/accounts/passwords/password-cost.js';
import {
  baseUrl,
  booleanText,
  commaSeparated,
  fraction,
  integerText,
  keyText,
  mailbox,
  mode,
  moduleName,
  networks,
  oneOf,
  origins,
  postgresUrl,
  proxies,
  rateLimits,
  secrets,
  textWithoutOuterSpaces,
  traceHeaders,
  url,
} from './values.js';

/** Maximum value of `WORKERS`. More workers would overload the primary process. */
export const maxWorkers = 64;

export const maxPort = 65_535;

/**
 * Metadata of variables that can contain a secret. The value of such a variable can also be in a file, which the variable `<name>_FILE`
 * names.
 */
const secret = { isSecret: true } as const;

/** Environment variables that the service reads. A variable with an empty value counts as missing. */
export const environment = z.object({
  NODE_ENV: mode
    .default('development')
    .describe(
      '`production` (or `prod`), `development` or `test`, in any letter case. `production` requires `DATABASE_URL` and strong secrets, refuses demo data, and never shows emails at `/dev/mail`. In production, `/graphql` callers without a token or key cannot use introspection, and their error messages do not reveal names of fields, arguments or enum values.',
    ),
  PORT: integerText(0, maxPort).default(4000).describe('Port to listen on. 0 selects a free port.'),
  HOST: textWithoutOuterSpaces
    .default('127.0.0.1')
    .describe('Address to listen on. `0.0.0.0` accepts connections from other machines.'),
  DRAIN_DELAY: integerText(0, 600)
    .default(0)
    .describe('Seconds to keep serving requests after SIGTERM, while `/readyz` reports the process as not ready.'),
  WORKERS: z
    .union([z.literal('auto'), integerText(1, maxWorkers)], `must be auto, or a whole number from 1 to ${maxWorkers}`)
    .default(1)
    .describe('Number of processes that serve requests. `auto` starts one per CPU core. One of them runs the background jobs.'),
  TRUST_PROXY: proxies
    .default(0)
    .describe(
      'Trusted proxies in front of the service: their number, or a comma-separated list of their addresses or networks, such as `10.0.0.0/8,loopback`. The service uses the headers `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` that they set. By default, it ignores these headers.',
    ),
  TRUSTED_PROXIES: proxies.optional().describe('Former name of `TRUST_PROXY`.'),
  RATE_LIMITS: rateLimits
    .default(defaultQuotas)
    .describe(
      'Rate limits, such as `address=100/15m,account.passwords=5/1h`. The names are listed below. Limits that you do not set keep their defaults.',
    ),
  CORS_ORIGINS: origins
    .default('*')
    .describe(
      'Comma-separated origins of pages that may read responses to requests without a publishable key, such as `https://play.example,http://localhost:*`. `*` allows all origins, `none` allows none. For requests with a publishable key, the origins of the key apply.',
    ),
  PUBLIC_URL: baseUrl('http', 'https')
    .optional()
    .describe(
      'Public URL of the service, for links in emails. Default: the URL from `X-Forwarded-Host` and `X-Forwarded-Proto` of a trusted proxy, or else `http://localhost:<PORT>`.',
    ),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'URL of the database, such as `postgresql://user:password@host:5432/name?sslmode=verify-full`. With several hosts, as in `postgresql://user:password@one:5432,two:5432/name`, connections go to the host that accepts writes. Requires PostgreSQL 16 or newer, built with ICU. The query parameters apply to every connection. Default: an embedded PostgreSQL 18. Required in production.',
    )
    .meta(secret),
  DATABASE_REPLICA_URLS: commaSeparated(postgresUrl)
    .default([])
    .describe('Comma-separated URLs of streaming replicas for reads.')
    .meta(secret),
  DATABASE_REPLICA_LAG: integerText(1, 3600)
    .default(1)
    .describe('Maximum replication lag in seconds. Replicas that lag more or do not respond are not used.'),
  DATABASE_LISTEN_URL: postgresUrl
    .optional()
    .describe('Database URL for `LISTEN`, which poolers in transaction mode do not support. Default: `DATABASE_URL`.')
    .meta(secret),
  DATABASE_POOL: integerText(2, 1000)
    .optional()
    .describe(
      'Maximum number of connections to each database, shared by all `WORKERS`. Default: 10 for a single process, or 6 per worker.',
    ),
  DATABASE_PREPARED: booleanText('on', 'off')
    .default(true)
    .describe('Use prepared statements. Set to `off` for poolers in transaction mode that do not support them.'),
  DATABASE_STATEMENT_TIMEOUT: integerText(1, 600)
    .default(5)
    .describe('Timeout in seconds for each database statement of a request.'),
  DATABASE_LOCK_TIMEOUT: integerText(1, 600)
    .default(2)
    .describe('Maximum time in seconds that a request waits for a database lock.'),
  DATABASE_IDLE_TIMEOUT: integerText(1, 600)
    .default(10)
    .describe('Maximum time in seconds that an open transaction can be idle.'),
  DATABASE_WAIT_TIMEOUT: integerText(1, 60).default(3).describe('Maximum time in seconds to wait for a database connection.'),
  ANSWER_TIMEOUT: integerText(1, 600)
    .default(7)
    .describe(
      'Timeout in seconds from the arrival of a request to the start of its response. After that, the request gets a 503 with `Retry-After`.',
    ),
  REQUESTS_AT_ONCE: integerText(1, 10_000)
    .default(64)
    .describe('Maximum number of requests per process that use the database at the same time. Further requests wait in a queue.'),
  TURN_TIMEOUT: integerText(1, 600)
    .default(3)
    .describe(
      'Timeout in seconds for requests in the queue of `REQUESTS_AT_ONCE`, from the arrival of the request. Requests that exceed it get a 503 with `Retry-After`, but only while more than 64 requests are queued.',
    ),
  MIGRATE: booleanText('true', 'false')
    .optional()
    .describe(
      'Run pending migrations at startup. With `false`, the service waits until `courtside migrate` has run them, and needs no privilege to change tables. Default: true.',
    ),
  MIGRATE_WAIT: integerText(0, 86_400)
    .default(300)
    .describe(
      'Maximum time in seconds that the service waits for migrations with `MIGRATE=false`. After that, it prints the missing migrations and exits.',
    ),
  PASSWORD_HASH_MEMORY: integerText(8, 1_048_576)
    .default(defaultPasswordCost.memory)
    .describe('Memory in KiB that argon2id uses to hash one password. At least 7168 in production.'),
  PASSWORD_HASH_PASSES: integerText(1, 100)
    .default(defaultPasswordCost.passes)
    .describe('Number of argon2id passes over `PASSWORD_HASH_MEMORY`. More passes slow down attackers, but also every sign-in.'),
  ACCOUNT_MIN_DURATION: integerText(0, 10_000)
    .default(250)
    .describe(
      'Minimum duration in milliseconds of failed sign-ins, and of requests for registration, password reset and email verification. Without it, their timing could reveal whether an account exists. At least 250 in production.',
    ),
  DATA_DIR: textWithoutOuterSpaces.default('.courtside').describe('Directory of the embedded database.'),
  DEMO: booleanText('true', 'false')
    .optional()
    .describe(
      'Load the demo season into an empty database. Not allowed in production. Default: true for the embedded database, false for other databases.',
    ),
  LOG_LEVEL: oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace')
    .default('info')
    .describe('Minimum severity of log entries.'),
  LOG_REQUESTS: booleanText('on', 'off')
    .optional()
    .describe('Write a log line for each request. Default: on in production, off in development.'),
  RESPONSE_CACHE_MB: integerText(0, 10_000)
    .default(32)
    .describe(
      'Maximum size in megabytes of the responses that each process keeps in memory for repeated requests. 0 disables the cache.',
    ),
  STREAMS_AT_ONCE: integerText(1, 100_000)
    .default(5_000)
    .describe('Maximum number of open subscriptions per process. Further subscriptions are refused with a retry delay.'),
  STREAMS_PER_CALLER: integerText(1, 100_000)
    .optional()
    .describe(
      'Maximum number of open subscriptions per caller, and of WebSockets per network address, in each process. A caller is a user, a platform, or the network address of an anonymous client. Default: half of `STREAMS_AT_ONCE`.',
    ),
  STREAM_COST_PER_CALLER: integerText(1, 1_000_000_000)
    .default(500_000)
    .describe(
      'Maximum total `extensions.cost` of the open subscriptions of one caller in each process. A caller is a user, a platform, or the network address of an anonymous client.',
    ),
  STREAM_COST_PER_ADDRESS: integerText(1, 1_000_000_000)
    .default(1_000_000)
    .describe(
      'Maximum total `extensions.cost` of the open subscriptions from one network address in each process. Subscriptions of platforms do not count.',
    ),
  AUDIT_DAYS: integerText(1, 36_500).default(365).describe('Retention of audit entries in days.'),
  USAGE_DAYS: integerText(1, 36_500)
    .default(400)
    .describe('Number of days for which usage counts (of `/v1` and GraphQL) and shadowing results are kept.'),
  CHANGES_DAYS: integerText(1, 36_500)
    .default(7)
    .describe('Retention of the change log in days. Subscribers can resume within this time.'),
  WEBHOOK_KEY: secrets
    .default([])
    .describe(
      'Comma-separated keys that encrypt webhook secrets in the database. The first key encrypts new secrets, and all keys can decrypt. In production, the first key must have at least 16 characters. Default: secrets are stored unencrypted.',
    )
    .meta(secret),
  WEBHOOK_NETWORKS: networks
    .default([])
    .describe(
      'Comma-separated private networks to which webhooks may deliver, with or without TLS, such as `10.0.0.0/8,127.0.0.1`.',
    ),
  CONSOLE: booleanText('on', 'off')
    .default(true)
    .describe('Serve the console for moderators and admins at `/console`. With `off`, `/console` returns 404.'),
  CONSOLE_KEY: keyText
    .optional()
    .describe(
      'Publishable key with which the console at `/console` signs users in. Default: the key of the demo data. Without demo data, the console asks for a key.',
    ),
  METRICS_PORT: integerText(1, maxPort)
    .optional()
    .describe('Port of `/metrics`, for Prometheus. Additional `WORKERS` use the next ports. Default: metrics are disabled.'),
  LEGACY_PAGING: oneOf('offset', 'pages')
    .default('offset')
    .describe('Meaning of `current_page` in `/v1`: number of rows to skip (`offset`), or page number starting at 1 (`pages`).'),
  SHADOW_UPSTREAM: baseUrl('http', 'https')
    .optional()
    .describe(
      'URL of the old server. The service also sends a share of the `/v1` reads to it, with the tokens of the callers, and counts the responses that differ. Default: disabled.',
    )
    .meta(secret),
  SHADOW_SHARE: fraction
    .default(0.01)
    .describe('Share of the `/v1` reads, from 0 to 1, that are also sent to `SHADOW_UPSTREAM`.'),
  IMPORT_TOKEN: textWithoutOuterSpaces
    .optional()
    .describe('Platform token of the old server, for `courtside import --from`.')
    .meta(secret),
  BOOTSTRAP_PLATFORM_TOKEN: textWithoutOuterSpaces
    .optional()
    .describe(
      'Token of a platform named `bootstrap`, which is created or updated at startup. At least 16 characters in production.',
    )
    .meta(secret),
  BOOTSTRAP_ADMIN_EMAIL: z
    .email('must be an email address')
    .optional()
    .describe(
      'Email address of the bootstrap admin. The service creates or updates this user at startup, as a verified super admin with every role. Requires `BOOTSTRAP_ADMIN_PASSWORD`.',
    ),
  BOOTSTRAP_ADMIN_PASSWORD: z
    .string()
    .optional()
    .describe('Password of the user in `BOOTSTRAP_ADMIN_EMAIL`: 8 to 200 characters, and hard to guess.')
    .meta(secret),
  SMTP_URL: url('smtp', 'smtps')
    .optional()
    .describe(
      'URL of the SMTP server, such as `smtp://user:password@host:587`. Default: outside production, with the embedded database or `DEMO=true`, emails are shown at `/dev/mail`. In all other cases, emails cannot be sent: each is retried for about a day, and then fails permanently.',
    )
    .meta(secret),
  MAIL_FROM: mailbox.default('Courtside <no-reply@localhost>').describe('Sender address of emails.'),
  CONTACT_EMAIL: z
    .email('must be an email address')
    .optional()
    .describe('Email address of the operators, which receives contact messages. Default: the address in `MAIL_FROM`.'),
  SMS_WEBHOOK_URL: url('http', 'https')
    .optional()
    .describe(
      'URL that receives each text message as a signed POST. Default: text messages are handled like emails without `SMTP_URL`.',
    )
    .meta(secret),
  SMS_WEBHOOK_SECRET: z
    .string()
    .optional()
    .describe('Secret that signs text messages. Required with `SMS_WEBHOOK_URL`. At least 16 characters in production.')
    .meta(secret),
  GRAPH: booleanText('on', 'off')
    .default(true)
    .describe('Serve `/graphql` and `/v1`. Set to `off` for a process that serves only subgraphs.'),
  SUBGRAPHS: z
    .union([oneOf('all', 'none'), commaSeparated(moduleName)], 'must be all, none, or comma-separated module names')
    .optional()
    .describe(
      'Subgraphs to serve at `/subgraphs/<module>`: `all`, `none`, or comma-separated names. Default: `all` if `ROUTER_SECRET` is set, or else `none`.',
    ),
  TRUSTED_DOCUMENTS: textWithoutOuterSpaces
    .optional()
    .describe(
      'Path of a manifest with documents that clients of `/graphql` can send by ID, in the format of Apollo or GraphQL Code Generator.',
    ),
  TRUSTED_DOCUMENTS_MODE: oneOf('allow', 'require')
    .default('allow')
    .describe(
      '`allow` also runs documents that are not in the manifest. `require` runs only the documents of the manifest, and those of the console.',
    ),
  ROUTER_SECRET: secrets
    .default([])
    .describe(
      'Comma-separated secrets. Routers must send one of them in the header `router-secret`. During a rotation, set the new and the old secret. In production, each must have at least 16 characters.',
    )
    .meta(secret),
  ROUTER_CALLBACKS: commaSeparated(baseUrl('http', 'https'))
    .default([])
    .describe(
      'Comma-separated base URLs of routers that receive subscription events by HTTP callback, such as `http://router:4000/callback`. Default: callbacks are disabled.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
    .optional()
    .describe('URL of the trace collector, such as `http://localhost:4318`. Default: tracing is disabled.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/protobuf', 'http/json', 'grpc')
    .default('http/protobuf')
    .describe('Protocol of the trace collector.'),
  OTEL_EXPORTER_OTLP_HEADERS: traceHeaders
    .optional()
    .describe('Comma-separated headers for the trace collector, such as `api-key=secret`.')
    .meta(secret),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: traceHeaders
    .optional()
    .describe('Comma-separated headers for the trace collector, which override those in `OTEL_EXPORTER_OTLP_HEADERS`.')
    .meta(secret),
  OTEL_SERVICE_NAME: textWithoutOuterSpaces.default('courtside').describe('Name of the service in traces.'),
  INLINE_TRACING: booleanText('on', 'off')
    .default(false)
    .describe('Add federated inline traces to the responses of the subgraphs.'),
});
