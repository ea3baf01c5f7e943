import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { loadConfig, variables } from '../../src/config.js';
import { defaultQuotas } from '../../src/modules/accounts/limit-rules.js';

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n');
  }
};

test('without variables the service listens on localhost:4000 and brings its own database', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toEqual({
    isProduction: false,
    port: 4000,
    host: '127.0.0.1',
    workers: 1,
    trustProxy: 0,
    rateLimits: defaultQuotas,
    corsOrigins: '*',
    publicUrl: null,
    databaseUrl: null,
    listenUrl: null,
    replicaUrls: [],
    replicaLag: 1,
    databasePool: 10,
    timeouts: { statement: 5, lock: 2, idle: 10, wait: 3, answer: 7, turn: 3 },
    requestsAtOnce: 64,
    dataDir: '.courtside',
    demo: 'auto',
    logLevel: 'info',
    auditDays: 365,
    usageDays: 400,
    webhooks: { keys: [], networks: [] },
    changesDays: 7,
    metricsPort: null,
    legacyPaging: 'offset',
    shadow: null,
    bootstrap: { platformToken: null, admin: null },
    smtpUrl: null,
    mailFrom: 'Courtside <no-reply@localhost>',
    contactEmail: 'no-reply@localhost',
    sms: null,
    graph: true,
    subgraphs: 'none',
    trustedDocuments: { path: null, isRequired: false },
    routerSecrets: [],
    inlineTracing: false,
    traces: null,
    drainDelay: 0,
    databasePrepared: true,
  });
});

test('every variable finds its place', () => {
  const config = loadConfig({
    NODE_ENV: 'production',
    PORT: '80',
    WORKERS: '2',
    HOST: '0.0.0.0',
    TRUST_PROXY: '10.0.0.0/8, loopback',
    RATE_LIMITS: 'account=5/1h, account.messages=7/30s',
    CORS_ORIGINS: 'https://play.example, http://localhost:*',
    PUBLIC_URL: 'https://play.example/',
    DATABASE_URL: 'postgres://u:p@db/courtside',
    DATABASE_REPLICA_URLS: 'postgres://u:p@one/courtside, postgres://u:p@two/courtside',
    DATABASE_LISTEN_URL: 'postgres://u:p@past-the-pooler/courtside',
    DATABASE_REPLICA_LAG: '3',
    DATABASE_POOL: '30',
    DATA_DIR: '/data',
    DEMO: 'true',
    LOG_LEVEL: 'warn',
    AUDIT_DAYS: '30',
    USAGE_DAYS: '60',
    CHANGES_DAYS: '3',
    METRICS_PORT: '9464',
    LEGACY_PAGING: 'pages',
    SHADOW_UPSTREAM: 'https://old.example',
    SHADOW_SHARE: '0.25',
    BOOTSTRAP_PLATFORM_TOKEN: 'token',
    BOOTSTRAP_ADMIN_EMAIL: 'admin@play.example',
    BOOTSTRAP_ADMIN_PASSWORD: 'password',
    SMTP_URL: 'smtp://mail.example:587',
    MAIL_FROM: 'Play <play@play.example>',
    CONTACT_EMAIL: 'desk@play.example',
    SMS_WEBHOOK_URL: 'https://sms.example',
    SMS_WEBHOOK_SECRET: 'secret',
    GRAPH: 'off',
    SUBGRAPHS: 'rankings,news',
    TRUSTED_DOCUMENTS: 'documents.json',
    TRUSTED_DOCUMENTS_MODE: 'require',
    ROUTER_SECRET: 'router, next',
    INLINE_TRACING: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_SERVICE_NAME: 'play',
    DRAIN_DELAY: '20',
    DATABASE_PREPARED: 'off',
    DATABASE_STATEMENT_TIMEOUT: '15',
    DATABASE_LOCK_TIMEOUT: '6',
    DATABASE_IDLE_TIMEOUT: '60',
    DATABASE_WAIT_TIMEOUT: '4',
    ANSWER_TIMEOUT: '25',
    REQUESTS_AT_ONCE: '48',
    TURN_TIMEOUT: '9',
  });
  expect(config).toEqual({
    isProduction: true,
    port: 80,
    timeouts: { statement: 15, lock: 6, idle: 60, wait: 4, answer: 25, turn: 9 },
    requestsAtOnce: 48,
    host: '0.0.0.0',
    workers: 2,
    trustProxy: ['10.0.0.0/8', 'loopback'],
    corsOrigins: ['https://play.example', 'http://localhost:*'],
    rateLimits: {
      ...defaultQuotas,
      'account.passwords': { points: 5, duration: 3_600 },
      'account.messages': { points: 7, duration: 30 },
    },
    publicUrl: 'https://play.example',
    databaseUrl: 'postgres://u:p@db/courtside',
    listenUrl: 'postgres://u:p@past-the-pooler/courtside',
    replicaUrls: ['postgres://u:p@one/courtside', 'postgres://u:p@two/courtside'],
    replicaLag: 3,
    databasePool: 15,
    dataDir: '/data',
    demo: true,
    logLevel: 'warn',
    auditDays: 30,
    usageDays: 60,
    webhooks: { keys: [], networks: [] },
    changesDays: 3,
    metricsPort: 9464,
    legacyPaging: 'pages',
    shadow: { upstream: 'https://old.example', share: 0.25 },
    bootstrap: { platformToken: 'token', admin: { email: 'admin@play.example', password: 'password' } },
    smtpUrl: 'smtp://mail.example:587',
    mailFrom: 'Play <play@play.example>',
    contactEmail: 'desk@play.example',
    sms: { url: 'https://sms.example', secret: 'secret' },
    graph: false,
    subgraphs: ['rankings', 'news'],
    trustedDocuments: { path: 'documents.json', isRequired: true },
    routerSecrets: ['router', 'next'],
    inlineTracing: true,
    traces: { serviceName: 'play' },
    drainDelay: 20,
    databasePrepared: false,
  });
});

test('all problems are told at once, and no value is repeated', () => {
  const wrong = {
    PORT: '80000',
    PUBLIC_URL: 'play.example',
    DATABASE_URL: 'mysql://u:secret@db/courtside',
    DATABASE_REPLICA_URLS: 'postgres://u:p@one/courtside,two',
    DATABASE_POOL: '1',
    DEMO: 'yes',
    LOG_LEVEL: 'loud',
    LEGACY_PAGING: 'rows',
    SHADOW_SHARE: '1.1',
    BOOTSTRAP_ADMIN_EMAIL: 'admin',
    SMTP_URL: 'mail.example',
    SMS_WEBHOOK_URL: 'https://sms.example',
    GRAPH: '1',
    SUBGRAPHS: 'News',
    TRUSTED_DOCUMENTS_MODE: 'file',
    INLINE_TRACING: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http',
    DRAIN_DELAY: 'long',
    DATABASE_PREPARED: 'no',
  };
  expect(problemsOf(wrong)).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'DRAIN_DELAY must be a whole number from 0 to 600.',
    'PUBLIC_URL must be a URL that starts with http:// or https://.',
    'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database.',
    'DATABASE_REPLICA_URLS must be a URL such as postgresql://user:password@host:5432/database.',
    'DATABASE_POOL must be a whole number from 2 to 1000.',
    'DATABASE_PREPARED must be one of: on, off.',
    'DEMO must be one of: true, false.',
    'LOG_LEVEL must be one of: silent, fatal, error, warn, info, debug, trace.',
    'LEGACY_PAGING must be one of: offset, pages.',
    'SHADOW_SHARE must be a number from 0 to 1, such as 0.01.',
    'BOOTSTRAP_ADMIN_EMAIL must be an e-mail address.',
    'SMTP_URL must be a URL that starts with smtp:// or smtps://.',
    'GRAPH must be one of: on, off.',
    'SUBGRAPHS must be all, none, or names of modules with commas between them.',
    'TRUSTED_DOCUMENTS_MODE must be one of: allow, require.',
    'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http:// or https://.',
    'OTEL_EXPORTER_OTLP_PROTOCOL must be one of: http/protobuf, http/json, grpc.',
    'INLINE_TRACING must be one of: on, off.',
    'BOOTSTRAP_ADMIN_PASSWORD must be set too when BOOTSTRAP_ADMIN_EMAIL is set.',
    'SMS_WEBHOOK_SECRET must be set too when SMS_WEBHOOK_URL is set.',
    'TRUSTED_DOCUMENTS must be set too when TRUSTED_DOCUMENTS_MODE is set.',
    'SHADOW_UPSTREAM must be set too when SHADOW_SHARE is set.',
    'ROUTER_SECRET must be set too when SUBGRAPHS is set: no subgraph is open without it.',
  ]);
});

test('no subgraph is served without a secret of routers', () => {
  const problem = 'ROUTER_SECRET must be set too when SUBGRAPHS is set: no subgraph is open without it.';
  expect([
    loadConfig({ ROUTER_SECRET: 'router' }).subgraphs,
    loadConfig({ SUBGRAPHS: 'none', GRAPH: 'off' }).subgraphs,
    problemsOf({ SUBGRAPHS: 'all' }),
    problemsOf({ SUBGRAPHS: 'news', ROUTER_SECRET: '' }),
    problemsOf({ GRAPH: 'off' }),
  ]).toEqual(['all', 'none', [problem], [problem], ['ROUTER_SECRET must be set too when GRAPH is off, or SUBGRAPHS be none.']]);
});

test('an empty secret opens nothing', () => {
  const problem = ['ROUTER_SECRET must be secrets with commas between them, none empty and none twice.'];
  expect([',', 'router,', 'router, ,next', 'router,router'].map((text) => problemsOf({ ROUTER_SECRET: text }))).toEqual(
    Array(4).fill(problem),
  );
});

test('every variable is described', () => {
  expect(variables.filter(({ description }) => description === '')).toEqual([]);
});

test('workers divide the connections, and each needs two', () => {
  const pools = (env: Record<string, string>) => {
    const { workers, databasePool } = loadConfig(env);
    return [workers, databasePool];
  };
  expect([
    pools({ WORKERS: '4' }),
    pools({ WORKERS: '4', DATABASE_POOL: '30' }),
    pools({ WORKERS: '1', DATABASE_POOL: '30' }),
    pools({ WORKERS: 'auto' })[0],
  ]).toEqual([[4, 6], [4, 7], [1, 30], Math.min(availableParallelism(), 64)]);
  expect([
    problemsOf({ WORKERS: '4', DATABASE_POOL: '7' }),
    problemsOf({ WORKERS: '0' }),
    problemsOf({ WORKERS: 'all' }),
  ]).toEqual([
    ['DATABASE_POOL must be at least 2 for each of the WORKERS: 8 for 4.'],
    ['WORKERS must be auto, or a whole number from 1 to 64.'],
    ['WORKERS must be auto, or a whole number from 1 to 64.'],
  ]);
});
