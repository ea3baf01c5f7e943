import { z } from 'zod';
import {
  commaSeparated,
  integerText,
  limitTexts,
  moduleNames,
  networks,
  oneChoice,
  origins,
  postgres,
  proxies,
  secrets,
  share,
  url,
  yesOrNo,
} from './config-values.js';
import { defaultQuotas } from './modules/accounts/limit-rules.js';
import { defaultPasswordCost } from './modules/accounts/password-cost.js';

/** More would wait for one primary. */
export const mostWorkers = 64;

/** Every variable that the service reads. An empty one counts as unset. */
export const environment = z.object({
  NODE_ENV: oneChoice('development', 'test', 'production')
    .default('development')
    .describe(
      '`production`, `development` or `test`. `production` requires `DATABASE_URL`, loads and serves demo data only with `DEMO=true`, never shows mails at `/dev/mail`, and answers no introspection or suggestions of names to callers of `/graphql` without a token or key.',
    ),
  PORT: integerText(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` to be reached from other machines.'),
  DRAIN_DELAY: integerText(0, 600)
    .default(0)
    .describe('Seconds after SIGTERM in which requests are still served, while `/readyz` tells balancers to send no more.'),
  WORKERS: z
    .union([z.literal('auto'), integerText(1, mostWorkers)], `must be auto, or a whole number from 1 to ${mostWorkers}`)
    .default(1)
    .describe('Processes that serve requests at the port; `auto` for one a core. One of them does the background jobs.'),
  TRUST_PROXY: proxies
    .default(0)
    .describe(
      'Proxies in front of it: how many, or their addresses or networks with commas between them, such as `10.0.0.0/8,loopback`. What they say in `X-Forwarded-For`, `-Proto` and `-Host` counts; without it, no header of a request does.',
    ),
  TRUSTED_PROXIES: proxies.optional().describe('Former name of `TRUST_PROXY`.'),
  RATE_LIMITS: limitTexts
    .default(defaultQuotas)
    .describe(
      'What may be tried how often, such as `address=100/15m,account.passwords=5/1h`; the names are below. What is not named stays as it is.',
    ),
  CORS_ORIGINS: origins
    .default('*')
    .describe(
      'Origins whose pages may read answers to requests without a publishable key, with commas between them, such as `https://play.example,http://localhost:*`; `*` for all, `none` for none. Each key adds its own for the requests that carry it.',
    ),
  PUBLIC_URL: url('http', 'https')
    .optional()
    .describe(
      'Address under which clients reach the service, for links in mails. Default: what a trusted proxy says in `X-Forwarded-Host` and `-Proto`, else `http://localhost:<PORT>`.',
    ),
  DATABASE_URL: postgres
    .optional()
    .describe(
      'PostgreSQL 16 or newer, built with ICU, such as `postgresql://user:password@host:5432/name?sslmode=verify-full`: what its query says holds for every connection. Unset: an embedded PostgreSQL 18 is started, except in production.',
    ),
  DATABASE_REPLICA_URLS: commaSeparated(postgres).default([]).describe('Streaming replicas for reads, with commas between them.'),
  DATABASE_REPLICA_LAG: integerText(1, 3600)
    .default(1)
    .describe('Most seconds that a replica may be behind the primary: beyond that, or when it is away, others are read.'),
  DATABASE_LISTEN_URL: postgres
    .optional()
    .describe(
      'Where processes hear of changes, past a pooler in transaction mode, which knows no `LISTEN`. Unset: `DATABASE_URL`.',
    ),
  DATABASE_POOL: integerText(2, 1000)
    .optional()
    .describe('Most connections to keep, to each database; `WORKERS` divide them. Default: 10, or 6 a worker.'),
  DATABASE_PREPARED: yesOrNo('on', 'off')
    .default(true)
    .describe('Keep statements prepared; `off` behind poolers in transaction mode that know no prepared statements.'),
  DATABASE_STATEMENT_TIMEOUT: integerText(1, 600).default(5).describe('Most seconds that a statement of a request may take.'),
  DATABASE_LOCK_TIMEOUT: integerText(1, 600)
    .default(2)
    .describe('Most seconds that it waits for what another transaction has locked.'),
  DATABASE_IDLE_TIMEOUT: integerText(1, 600)
    .default(10)
    .describe('Most seconds that a transaction may be open without a statement.'),
  DATABASE_WAIT_TIMEOUT: integerText(1, 60)
    .default(3)
    .describe('Most seconds that a request waits for a free connection to the database, or for a new one.'),
  ANSWER_TIMEOUT: integerText(1, 600)
    .default(7)
    .describe('Most seconds from when a request has arrived until its answer begins: what is later is a 503 with `Retry-After`.'),
  REQUESTS_AT_ONCE: integerText(1, 10_000)
    .default(64)
    .describe('Most requests of a process that are at work on the database at once; the others wait for their turn.'),
  TURN_TIMEOUT: integerText(1, 600)
    .default(3)
    .describe('Most seconds that a request waits for its turn in a crowd; then it is a 503 with `Retry-After`.'),
  PASSWORD_HASH_MEMORY: integerText(8, 1_048_576)
    .default(defaultPasswordCost.memory)
    .describe('Memory in KiB that argon2id uses to hash one password. At least 7168 in production.'),
  PASSWORD_HASH_PASSES: integerText(1, 100)
    .default(defaultPasswordCost.passes)
    .describe('Number of argon2id passes over that memory. More passes slow down attackers, but also every sign-in.'),
  ACCOUNT_MIN_DURATION: integerText(0, 10_000)
    .default(250)
    .describe(
      'Minimum duration in milliseconds of requests for registration, password reset and e-mail verification. It hides whether an account exists. At least 250 in production.',
    ),
  DATA_DIR: z.string().default('.courtside').describe('Directory of the embedded database.'),
  DEMO: yesOrNo('true', 'false')
    .optional()
    .describe('Load the demo season into an empty database. Default: true for the embedded database, else false.'),
  LOG_LEVEL: oneChoice('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace')
    .default('info')
    .describe('Least severity that is logged.'),
  STREAMS_AT_ONCE: integerText(1, 100_000)
    .default(5_000)
    .describe('Subscriptions that a process keeps open at once; whoever comes when there are so many is asked to come back.'),
  STREAMS_PER_CALLER: integerText(1, 100_000)
    .optional()
    .describe(
      'How many of these one user, one platform, or one address without either may have; and sockets of one address. Default: half of `STREAMS_AT_ONCE`.',
    ),
  STREAM_COST_PER_CALLER: integerText(1, 1_000_000_000)
    .default(500_000)
    .describe(
      'Maximum total `extensions.cost` of the open subscriptions of one caller in a process. A caller is a user, a platform, or a network address without either.',
    ),
  STREAM_COST_PER_ADDRESS: integerText(1, 1_000_000_000)
    .default(1_000_000)
    .describe(
      'Maximum total `extensions.cost` of the open subscriptions from one network address in a process, without those of platforms.',
    ),
  AUDIT_DAYS: integerText(1, 36_500).default(365).describe('Days for which audit entries are kept.'),
  USAGE_DAYS: integerText(1, 36_500).default(400).describe('Days for which is kept who called which route of `/v1` how often.'),
  CHANGES_DAYS: integerText(1, 36_500)
    .default(7)
    .describe('Days for which changes are kept, for those who come back for what they missed.'),
  WEBHOOK_KEY: secrets
    .default([])
    .describe(
      'Under which the secrets of webhooks are encrypted in the database. Several, with commas between them: the first encrypts, all decrypt. Unset: they are kept as they are.',
    ),
  WEBHOOK_NETWORKS: networks
    .default([])
    .describe(
      'Networks that are not public and to which webhooks may lead all the same, also without encryption, with commas between them, such as `10.0.0.0/8,127.0.0.1`.',
    ),
  METRICS_PORT: integerText(1, 65_535)
    .optional()
    .describe(
      'Port for `/metrics`, for Prometheus alone; further `WORKERS` take the ports behind it. Unset: nothing is counted.',
    ),
  LEGACY_PAGING: oneChoice('offset', 'pages')
    .default('offset')
    .describe('What `current_page` counts in `/v1`: rows to skip (`offset`) or pages, the first being 1 (`pages`).'),
  SHADOW_UPSTREAM: url('http', 'https')
    .optional()
    .describe(
      'Address of the old server, which is asked some reads of `/v1` once more, with their tokens, after they were answered: what differs is counted. Unset: nothing is.',
    ),
  SHADOW_SHARE: share.default(0.01).describe('Which part of those reads it is asked, from 0 to 1.'),
  BOOTSTRAP_PLATFORM_TOKEN: z.string().optional().describe('Creates or updates a platform named `bootstrap` with this token.'),
  BOOTSTRAP_ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe('Creates or updates a verified super admin with every role; needs the password too.'),
  BOOTSTRAP_ADMIN_PASSWORD: z
    .string()
    .optional()
    .describe('Password of that admin: 8 to 200 characters, and none that is easy to guess.'),
  SMTP_URL: url('smtp', 'smtps')
    .optional()
    .describe(
      'Server that sends mails, such as `smtp://user:password@host:587`. Unset: caught on the embedded database, else they wait.',
    ),
  MAIL_FROM: z.string().default('Courtside <no-reply@localhost>').describe('Sender of the mails.'),
  CONTACT_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe('Operators, to whom contact messages go. Default: the address in `MAIL_FROM`.'),
  SMS_WEBHOOK_URL: url('http', 'https')
    .optional()
    .describe('Receives each text message as a signed POST. Unset: caught on the embedded database, else they wait.'),
  SMS_WEBHOOK_SECRET: z.string().optional().describe('Key of those signatures.'),
  GRAPH: yesOrNo('on', 'off')
    .default(true)
    .describe('Serve `/graphql` and `/v1`; `off` for a process that serves subgraphs only.'),
  SUBGRAPHS: z
    .union(
      [oneChoice('all', 'none'), commaSeparated(moduleNames)],
      'must be all, none, or names of modules with commas between them',
    )
    .optional()
    .describe(
      'Subgraphs under `/subgraphs/<module>`: `all`, `none`, or names with commas between them. Default: `all` where `ROUTER_SECRET` is set, else `none`.',
    ),
  TRUSTED_DOCUMENTS: z
    .string()
    .optional()
    .describe(
      'File of documents that clients of `/graphql` may send by their ids: a manifest of Apollo or of GraphQL Code Generator.',
    ),
  TRUSTED_DOCUMENTS_MODE: oneChoice('allow', 'require')
    .default('allow')
    .describe('Whether other documents run too (`allow`), or those of the manifest only (`require`).'),
  ROUTER_SECRET: secrets
    .default([])
    .describe(
      'What routers send in the header `router-secret`, without which no subgraph answers. Several, with commas between them, are all good: the new and the old one while routers change over.',
    ),
  ROUTER_CALLBACKS: commaSeparated(url('http', 'https'))
    .default([])
    .describe(
      'Addresses of routers that want to be called back with the events of subscriptions, with commas between them, such as `http://router:4000/callback`; those below them are called, too. Unset: none is.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
    .optional()
    .describe('Collector of traces, such as `http://localhost:4318`. Unset: nothing is traced, and OpenTelemetry is not loaded.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneChoice('http/protobuf', 'http/json', 'grpc')
    .default('http/protobuf')
    .describe('How traces are sent to it.'),
  OTEL_SERVICE_NAME: z.string().default('courtside').describe('Name of the service in traces.'),
  INLINE_TRACING: yesOrNo('on', 'off').default(false).describe('Federated inline traces in the answers of the subgraphs.'),
});
