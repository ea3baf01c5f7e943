import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { connectionOptions } from '../kernel/primary-host.js';
import { moduleNames } from '../modules/module-names.js';
import { StartProblem } from '../process/start-problem.js';
import { environment, maxPort, maxWorkers } from './environment.js';
import { productionProblems } from './production-rules.js';
import { type DefinedVariables, fileVariableOf, readSecretFiles, secretNames } from './secret-files.js';
import { spellingWarnings } from './spelling.js';

/** Returns a problem if subgraphs are served without a router secret. Without a secret, they would be public. */
const subgraphProblems = ({ SUBGRAPHS, GRAPH, ROUTER_SECRET }: Partial<Record<string, unknown>>): string[] => {
  if (ROUTER_SECRET !== undefined || SUBGRAPHS === 'none') return [];
  if (SUBGRAPHS !== undefined) return ['ROUTER_SECRET must be set too when SUBGRAPHS is set: subgraphs require it.'];
  return GRAPH === 'off' ? ['ROUTER_SECRET must be set too when GRAPH is off, unless SUBGRAPHS is none.'] : [];
};

/** Returns a problem if the subgraph of an unknown module is selected. */
function unknownModuleProblems(selection: string | readonly string[] = []): string[] {
  if (typeof selection === 'string') return [];
  const unknownNames = selection.filter((name) => !moduleNames.some((known) => known === name));
  return unknownNames.length > 0
    ? [`SUBGRAPHS contains unknown modules: ${unknownNames.join(', ')}. Available modules: ${moduleNames.join(', ')}.`]
    : [];
}

/** Returns the maximum number of connections per process and database. `total` is the limit for all processes together. */
const poolSize = (workers: number, total: number | undefined): number => {
  if (workers === 1) return total ?? 10;
  return total === undefined ? 6 : Math.floor(total / workers);
};

/** Returns a problem if a process has fewer than two connections. With a single connection, a transaction could wait for itself. */
const poolProblems = (workers: number, pool: number | undefined): string[] =>
  pool !== undefined && pool < 2 * workers
    ? [`DATABASE_POOL must be at least ${2 * workers}: 2 connections for each of the ${workers} WORKERS.`]
    : [];

/** Checks the metrics ports. The first worker uses METRICS_PORT, the other workers use the ports after it. */
function metricsPortProblems(workers: number, port: number, metricsPort: number | undefined): string[] {
  if (metricsPort === undefined) return [];
  const lastPort = metricsPort + workers - 1;
  if (lastPort > maxPort)
    return [
      `METRICS_PORT must be at most ${maxPort - workers + 1}, because the ${workers} WORKERS use METRICS_PORT and the next ports.`,
    ];
  if (port < metricsPort || port > lastPort) return [];
  const ports = workers === 1 ? `is ${metricsPort}` : `and the next ports for the WORKERS are ${metricsPort} to ${lastPort}`;
  return [`METRICS_PORT ${ports}, but PORT is ${port}: set METRICS_PORT or PORT to another port.`];
}

const renameProblems = (values: Partial<Record<string, unknown>>, formerName: string, name: string): string[] =>
  values[formerName] !== undefined && values[name] !== undefined && values[formerName] !== values[name]
    ? [`${formerName} is the former name of ${name}: set only one of them.`]
    : [];

const companionProblems = (values: Partial<Record<string, unknown>>, variable: string, companion: string): string[] =>
  values[variable] !== undefined && values[companion] === undefined
    ? [`${companion} must be set too when ${variable} is set.`]
    : [];

export type Config = ReturnType<typeof loadConfig>;

/** A configuration variable, as listed in docs/configuration.md. */
export interface Variable {
  name: string;
  /** Default value, as it would be set in the environment. Empty if there is no default. */
  fallback: string;
  description: string;
  /** Whether `<name>_FILE` can name a file that contains the value. */
  isSecret: boolean;
}

/** All variables, in the order of docs/configuration.md. */
export const variables: Variable[] = Object.entries(environment.shape).map(([name, schema]) => {
  const fallback = schema instanceof z.ZodDefault ? schema.def.defaultValue : '';
  return { name, fallback: defaultText(fallback), description: schema.description ?? '', isSecret: secretNames.has(name) };
});

function defaultText(value: unknown): string {
  if (typeof value === 'object') return '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

type Environment = Readonly<Record<string, string | undefined>>;

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined && entry[1] !== '';

/** Returns the variables that have valid values, so that the other rules can be checked. */
const withoutInvalid = (variables: DefinedVariables, error: z.ZodError | undefined): DefinedVariables => {
  const invalidNames = new Set(error?.issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !invalidNames.has(name)));
};

/**
 * Reads the environment and the files of secrets. Throws a StartProblem with one line per problem. The error also lists misspelled
 * variables, because they can be the cause.
 */
export function loadConfig(env: Environment = process.env) {
  const {
    variables: setVariables,
    unreadable,
    problems: fileProblems,
  } = readSecretFiles(Object.fromEntries(Object.entries(env).filter(isSet)));
  const result = environment.safeParse(setVariables);
  // Secrets with an unreadable file are not also reported as missing.
  const configuredVariables = { ...unreadable, ...setVariables };
  const problems = [
    ...fileProblems,
    ...(result.error?.issues ?? []).map((issue) => `${issue.path[0]?.toString()} ${issue.message}.`),
    ...companionProblems(configuredVariables, 'BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD'),
    ...companionProblems(configuredVariables, 'BOOTSTRAP_ADMIN_PASSWORD', 'BOOTSTRAP_ADMIN_EMAIL'),
    ...companionProblems(configuredVariables, 'SMS_WEBHOOK_URL', 'SMS_WEBHOOK_SECRET'),
    ...companionProblems(configuredVariables, 'TRUSTED_DOCUMENTS_MODE', 'TRUSTED_DOCUMENTS'),
    ...companionProblems(configuredVariables, 'DATABASE_REPLICA_URLS', 'DATABASE_URL'),
    ...companionProblems(configuredVariables, 'DATABASE_LISTEN_URL', 'DATABASE_URL'),
    ...companionProblems(configuredVariables, 'SHADOW_SHARE', 'SHADOW_UPSTREAM'),
    ...subgraphProblems(configuredVariables),
    ...renameProblems(configuredVariables, 'TRUSTED_PROXIES', 'TRUST_PROXY'),
  ];
  const validData = result.data ?? environment.safeParse(withoutInvalid(setVariables, result.error)).data;
  const workers = validData?.WORKERS === 'auto' ? Math.min(availableParallelism(), maxWorkers) : (validData?.WORKERS ?? 1);
  problems.push(
    ...unknownModuleProblems(validData?.SUBGRAPHS),
    ...poolProblems(workers, validData?.DATABASE_POOL),
    ...(validData ? metricsPortProblems(workers, validData.PORT, validData.METRICS_PORT) : []),
    ...productionProblems(validData, configuredVariables),
  );
  if (!result.success || problems.length > 0)
    throw new StartProblem(...new Set([...problems, ...spellingWarnings(Object.keys(setVariables))]));
  const { data } = result;
  // Libraries read `NODE_ENV` from the environment, and recognize only the exact value `production`.
  if (env === process.env && data.NODE_ENV === 'production') process.env.NODE_ENV = data.NODE_ENV;
  return {
    isProduction: data.NODE_ENV === 'production',
    port: data.PORT,
    host: data.HOST,
    drainDelay: data.DRAIN_DELAY,
    workers,
    /** Number of trusted proxies, or their networks. */
    trustProxy: setVariables.TRUST_PROXY === undefined ? (data.TRUSTED_PROXIES ?? 0) : data.TRUST_PROXY,
    rateLimits: data.RATE_LIMITS,
    corsOrigins: data.CORS_ORIGINS,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    databaseUrl: data.DATABASE_URL ?? null,
    replicaUrls: data.DATABASE_REPLICA_URLS,
    listenUrl: data.DATABASE_LISTEN_URL ?? null,
    /** Connection for `LISTEN`. Null if `databaseUrl` is used. */
    listenConnection: data.DATABASE_LISTEN_URL === undefined ? null : connectionOptions(data.DATABASE_LISTEN_URL),
    /** Maximum lag of replicas in seconds. */
    replicaLag: data.DATABASE_REPLICA_LAG,
    /** Maximum number of connections of this process to each database. */
    databasePool: poolSize(workers, data.DATABASE_POOL),
    databasePrepared: data.DATABASE_PREPARED,
    /** Timeouts of requests in seconds. Migrations and scheduled jobs have no timeouts. */
    timeouts: {
      statement: data.DATABASE_STATEMENT_TIMEOUT,
      lock: data.DATABASE_LOCK_TIMEOUT,
      idle: data.DATABASE_IDLE_TIMEOUT,
      wait: data.DATABASE_WAIT_TIMEOUT,
      response: data.ANSWER_TIMEOUT,
      queue: data.TURN_TIMEOUT,
    },
    /** Whether the service runs pending migrations. If false, it waits up to `migrateWait` seconds until another process has run them. */
    migrate: data.MIGRATE ?? true,
    migrateWait: data.MIGRATE_WAIT,
    requestsAtOnce: data.REQUESTS_AT_ONCE,
    responseCacheBytes: data.RESPONSE_CACHE_MB * 1_000_000,
    streamsAtOnce: data.STREAMS_AT_ONCE,
    streamsPerCaller: data.STREAMS_PER_CALLER ?? Math.ceil(data.STREAMS_AT_ONCE / 2),
    streamCosts: { perCaller: data.STREAM_COST_PER_CALLER, perAddress: data.STREAM_COST_PER_ADDRESS },
    passwordCost: { memory: data.PASSWORD_HASH_MEMORY, passes: data.PASSWORD_HASH_PASSES },
    /** Minimum duration of requests whose timing could reveal whether an account exists, in milliseconds. */
    accountMinDuration: data.ACCOUNT_MIN_DURATION,
    dataDir: data.DATA_DIR,
    /** Whether to load the demo season. `auto` loads it only into the embedded database. */
    demo: data.DEMO ?? ('auto' as const),
    /** Whether to store emails and text messages that cannot be sent, and to show them at `/dev/mail`. Always false in production. */
    catchUnsent: data.NODE_ENV !== 'production' && (data.DATABASE_URL === undefined || data.DEMO === true),
    logLevel: data.LOG_LEVEL,
    logsRequests: data.LOG_REQUESTS ?? data.NODE_ENV === 'production',
    hasConsole: data.CONSOLE,
    consoleKey: data.CONSOLE_KEY ?? null,
    metricsPort: data.METRICS_PORT ?? null,
    auditDays: data.AUDIT_DAYS,
    usageDays: data.USAGE_DAYS,
    changesDays: data.CHANGES_DAYS,
    webhooks: { keys: data.WEBHOOK_KEY, networks: data.WEBHOOK_NETWORKS },
    legacyPaging: data.LEGACY_PAGING,
    shadow: data.SHADOW_UPSTREAM === undefined ? null : { upstream: data.SHADOW_UPSTREAM, share: data.SHADOW_SHARE },
    /** Platform token with which `import --from` reads from the old server. */
    importToken: data.IMPORT_TOKEN ?? null,
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
    routerCallbacks: data.ROUTER_CALLBACKS.map((text) => new URL(text).href),
    inlineTracing: data.INLINE_TRACING,
    /** `src/traces/provider.ts` and the exporters read the other `OTEL_` variables. */
    traces: data.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          serviceName: data.OTEL_SERVICE_NAME,
          protocol: data.OTEL_EXPORTER_OTLP_PROTOCOL,
          headers: data.OTEL_EXPORTER_OTLP_HEADERS,
          tracesHeaders: data.OTEL_EXPORTER_OTLP_TRACES_HEADERS,
        }
      : null,
  };
}

/** Copies the headers for the trace collector to the environment, where the exporters read them. The headers can come from a file. */
export function setTraceHeaders(
  headers: string,
  name: 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_EXPORTER_OTLP_TRACES_HEADERS' = 'OTEL_EXPORTER_OTLP_HEADERS',
): void {
  process.env[name] = headers;
  delete process.env[fileVariableOf(name)];
}

/**
 * Returns the environment of this process with additional variables, for a process that it starts. These variables take precedence over
 * secrets in files.
 */
export function environmentWith(variables: Record<string, string>): Record<string, string | undefined> {
  const files = Object.fromEntries(Object.keys(variables).map((name) => [fileVariableOf(name), undefined]));
  return { ...process.env, ...files, ...variables };
}

/** Returns a warning for each variable of the environment that is probably misspelled. */
export const configWarnings = (env: Environment = process.env): string[] =>
  spellingWarnings(Object.entries(env).flatMap((entry) => (isSet(entry) ? [entry[0]] : [])));
