import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { choice, limits, list, module, origins, postgres, proxies, secrets, url, whole, yesOrNo } from './config-values.js';
import { defaultQuotas } from './modules/accounts/limit-rules.js';
import { StartProblem } from './start-problem.js';

/** More would wait for one primary. */
const mostWorkers = 64;

/** Every variable that the service reads. An empty one counts as unset. */
const environment = z.object({
  NODE_ENV: z
    .string()
    .default('development')
    .describe(
      '`production`, where there is no demo data: callers of `/graphql` without a token or key get no introspection and no suggestions of names.',
    ),
  PORT: whole(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` to be reached from other machines.'),
  DRAIN_DELAY: whole(0, 600)
    .default(0)
    .describe('Seconds after SIGTERM in which requests are still served, while `/readyz` tells balancers to send no more.'),
  WORKERS: z
    .union([z.literal('auto'), whole(1, mostWorkers)], `must be auto, or a whole number from 1 to ${mostWorkers}`)
    .default(1)
    .describe('Processes that serve requests at the port; `auto` for one a core. One of them does the background jobs.'),
  TRUST_PROXY: proxies
    .default(0)
    .describe(
      'Proxies in front of it: how many, or their addresses or networks with commas between them, such as `10.0.0.0/8,loopback`. What they say in `X-Forwarded-For`, `-Proto` and `-Host` counts; without it, no header of a request does.',
    ),
  TRUSTED_PROXIES: proxies.optional().describe('Former name of `TRUST_PROXY`.'),
  RATE_LIMITS: limits
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
  DATABASE_URL: postgres.optional().describe('PostgreSQL 15 or newer. Unset: an embedded PostgreSQL 18 is started.'),
  DATABASE_REPLICA_URLS: list(postgres).default([]).describe('Streaming replicas for reads, with commas between them.'),
  DATABASE_POOL: whole(2, 1000)
    .optional()
    .describe('Most connections to keep, to each database; `WORKERS` divide them. Default: 10, or 6 a worker.'),
  DATABASE_PREPARED: yesOrNo('on', 'off')
    .default(true)
    .describe('Keep statements prepared; `off` behind poolers in transaction mode that know no prepared statements.'),
  DATA_DIR: z.string().default('.courtside').describe('Directory of the embedded database.'),
  DEMO: yesOrNo('true', 'false')
    .optional()
    .describe('Load the demo season into an empty database. Default: true for the embedded database, else false.'),
  LOG_LEVEL: choice('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace')
    .default('info')
    .describe('Least severity that is logged.'),
  AUDIT_DAYS: whole(1, 36_500).default(365).describe('Days for which audit entries are kept.'),
  METRICS_PORT: whole(1, 65_535)
    .optional()
    .describe(
      'Port for `/metrics`, for Prometheus alone; further `WORKERS` take the ports behind it. Unset: nothing is counted.',
    ),
  LEGACY_PAGING: choice('offset', 'pages')
    .default('offset')
    .describe('What `current_page` counts in `/v1`: rows to skip (`offset`) or pages, the first being 1 (`pages`).'),
  BOOTSTRAP_PLATFORM_TOKEN: z.string().optional().describe('Creates or updates a platform named `bootstrap` with this token.'),
  BOOTSTRAP_ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe('Creates or updates a verified super admin with every role; needs the password too.'),
  BOOTSTRAP_ADMIN_PASSWORD: z.string().optional().describe('Password of that admin.'),
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
    .union([choice('all', 'none'), list(module)], 'must be all, none, or names of modules with commas between them')
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
  TRUSTED_DOCUMENTS_MODE: choice('allow', 'require')
    .default('allow')
    .describe('Whether other documents run too (`allow`), or those of the manifest only (`require`).'),
  ROUTER_SECRET: secrets
    .default([])
    .describe(
      'What routers send in the header `router-secret`, without which no subgraph answers. Several, with commas between them, are all good: the new and the old one while routers change over.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
    .optional()
    .describe('Collector of traces, such as `http://localhost:4318`. Unset: nothing is traced, and OpenTelemetry is not loaded.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice('http/protobuf', 'http/json', 'grpc')
    .default('http/protobuf')
    .describe('How traces are sent to it.'),
  OTEL_SERVICE_NAME: z.string().default('courtside').describe('Name of the service in traces.'),
  INLINE_TRACING: yesOrNo('on', 'off').default(false).describe('Federated inline traces in the answers of the subgraphs.'),
});

/** Whoever has no secret must not be asked for one: subgraphs without it would be open to everybody. */
const guarded = ({ SUBGRAPHS, GRAPH, ROUTER_SECRET }: Partial<Record<string, unknown>>): string[] => {
  if (ROUTER_SECRET !== undefined || SUBGRAPHS === 'none') return [];
  if (SUBGRAPHS !== undefined) return ['ROUTER_SECRET must be set too when SUBGRAPHS is set: no subgraph is open without it.'];
  return GRAPH === 'off' ? ['ROUTER_SECRET must be set too when GRAPH is off, or SUBGRAPHS be none.'] : [];
};

/** Most connections of each process to each database, of all of them together `given`. */
const poolOf = (workers: number, given: number | undefined): number => {
  if (workers === 1) return given ?? 10;
  return given === undefined ? 6 : Math.floor(given / workers);
};

/** A process that had to do with one connection would wait for itself in a transaction. */
const enough = (workers: number, pool: number | undefined): string[] =>
  pool !== undefined && pool < 2 * workers
    ? [`DATABASE_POOL must be at least 2 for each of the WORKERS: ${2 * workers} for ${workers}.`]
    : [];

const renamed = (values: Partial<Record<string, unknown>>, former: string, name: string): string[] =>
  values[former] !== undefined && values[name] !== undefined && values[former] !== values[name]
    ? [`${former} is the former name of ${name}: set only one of them.`]
    : [];

const together = (values: Partial<Record<string, unknown>>, given: string, needed: string): string[] =>
  values[given] !== undefined && values[needed] === undefined ? [`${needed} must be set too when ${given} is set.`] : [];

/** Where the service runs and what it connects to. */
export type Config = ReturnType<typeof loadConfig>;

/** A variable of the environment, as the README lists it. */
export interface Variable {
  name: string;
  /** What stands when it is unset, as one would write it; empty when nothing does. */
  fallback: string;
  description: string;
}

/** All variables, in the order in which the README lists them. */
export const variables: Variable[] = Object.entries(environment.shape).map(([name, schema]) => {
  const fallback = schema instanceof z.ZodDefault ? schema.def.defaultValue : '';
  return { name, fallback: written(fallback), description: schema.description ?? '' };
});

function written(value: unknown): string {
  if (typeof value === 'object') return '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/** Reads the environment; throws a StartProblem with one line for each variable that is wrong. */
export function loadConfig(env: Record<string, string | undefined> = process.env) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(set);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path[0]?.toString()} ${issue.message}.`),
    ...together(set, 'BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD'),
    ...together(set, 'BOOTSTRAP_ADMIN_PASSWORD', 'BOOTSTRAP_ADMIN_EMAIL'),
    ...together(set, 'SMS_WEBHOOK_URL', 'SMS_WEBHOOK_SECRET'),
    ...together(set, 'TRUSTED_DOCUMENTS_MODE', 'TRUSTED_DOCUMENTS'),
    ...together(set, 'DATABASE_REPLICA_URLS', 'DATABASE_URL'),
    ...guarded(set),
    ...renamed(set, 'TRUSTED_PROXIES', 'TRUST_PROXY'),
  ];
  const workers = parsed.data?.WORKERS === 'auto' ? Math.min(availableParallelism(), mostWorkers) : (parsed.data?.WORKERS ?? 1);
  problems.push(...enough(workers, parsed.data?.DATABASE_POOL));
  if (!parsed.success || problems.length > 0) throw new StartProblem(...new Set(problems));
  const { data } = parsed;
  return {
    isProduction: data.NODE_ENV === 'production',
    port: data.PORT,
    host: data.HOST,
    drainDelay: data.DRAIN_DELAY,
    workers,
    /** How many proxies are trusted, or those of which networks. */
    trustProxy: set.TRUST_PROXY === undefined ? (data.TRUSTED_PROXIES ?? 0) : data.TRUST_PROXY,
    rateLimits: data.RATE_LIMITS,
    corsOrigins: data.CORS_ORIGINS,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    databaseUrl: data.DATABASE_URL ?? null,
    replicaUrls: data.DATABASE_REPLICA_URLS,
    /** Of one process. */
    databasePool: poolOf(workers, data.DATABASE_POOL),
    databasePrepared: data.DATABASE_PREPARED,
    dataDir: data.DATA_DIR,
    /** `auto`: when the database is the embedded one and empty. */
    demo: data.DEMO ?? ('auto' as const),
    logLevel: data.LOG_LEVEL,
    metricsPort: data.METRICS_PORT ?? null,
    auditDays: data.AUDIT_DAYS,
    legacyPaging: data.LEGACY_PAGING,
    bootstrap: {
      platformToken: data.BOOTSTRAP_PLATFORM_TOKEN ?? null,
      admin:
        data.BOOTSTRAP_ADMIN_EMAIL && data.BOOTSTRAP_ADMIN_PASSWORD
          ? { email: data.BOOTSTRAP_ADMIN_EMAIL, password: data.BOOTSTRAP_ADMIN_PASSWORD }
          : null,
    },
    smtpUrl: data.SMTP_URL ?? null,
    mailFrom: data.MAIL_FROM,
    contactEmail: data.CONTACT_EMAIL ?? data.MAIL_FROM.replace(/^.*<(.*)>\s*$/, '$1'),
    sms: data.SMS_WEBHOOK_URL && data.SMS_WEBHOOK_SECRET ? { url: data.SMS_WEBHOOK_URL, secret: data.SMS_WEBHOOK_SECRET } : null,
    graph: data.GRAPH,
    subgraphs: data.SUBGRAPHS ?? (data.ROUTER_SECRET.length ? ('all' as const) : ('none' as const)),
    trustedDocuments: { path: data.TRUSTED_DOCUMENTS ?? null, isRequired: data.TRUSTED_DOCUMENTS_MODE === 'require' },
    routerSecrets: data.ROUTER_SECRET,
    inlineTracing: data.INLINE_TRACING,
    /** The exporter itself reads where and how it sends: OpenTelemetry has dozens of variables of its own. */
    traces: data.OTEL_EXPORTER_OTLP_ENDPOINT ? { serviceName: data.OTEL_SERVICE_NAME } : null,
  };
}

/** The environment of this process with other variables over it, for a process that it starts. */
export const environmentWith = (variables: Record<string, string>): Record<string, string | undefined> => ({
  ...process.env,
  ...variables,
});
