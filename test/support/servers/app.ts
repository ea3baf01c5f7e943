import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type Config, loadConfig } from '../../../src/config/index.js';
import { openOrm } from '../../../src/database/orm.js';
import { demo } from '../../../src/demo/tokens.js';
import type { Resources } from '../../../src/graphql/context.js';
import { errorCode } from '../../../src/kernel/database-errors.js';
import { type Row, Session } from '../../../src/kernel/session.js';
import { hashOf, newToken } from '../../../src/modules/accounts/tokens/secrets.js';
import { portOf } from '../../../src/process/port.js';
import { type AppOptions, createApp } from '../../../src/server/app.js';
import { upgradesOf } from '../../../src/server/lifecycle/listen.js';
import { countStatements, type StatementCount } from '../checks/statement-counter.js';
import { cheapPasswordCost } from '../fixtures/passwords.js';
import { closeReusedOrm, openReusedOrm } from './reused-orm.js';
import { type Database, freshDatabase } from './test-database.js';

/** Header with the router secret, which is the same for all apps in tests. */
export const routerHeaders = { 'router-secret': 'the-secret-of-routers' } as const;

/** Tokens that a request sends. */
export interface Tokens {
  platform?: string;
  user?: string;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare whole bodies
  body: any;
  headers: Headers;
}

/** A user created for a test, with a user token. */
export interface Person extends Tokens {
  id: string;
  user: string;
}

/** A database session that tests use to read and write rows. */
export type RequestSession = Session & {
  rows<T extends Row>(text: string, values?: unknown[]): Promise<T[]>;
  row<T extends Row>(text: string, values?: unknown[]): Promise<T | null>;
};

export interface TestApp {
  origin: string;
  databaseUrl: string;
  resources: Resources;
  sql: RequestSession;
  /** Token of the test platform, which exists when the app has started. */
  platform: Tokens & { platform: string };
  /** The publishable key that the pages of the service send. It is valid only after `insertDemoKey`. */
  demoKey: string;
  /** Creates a verified user and a user token. */
  person(values?: {
    email?: string;
    firstName?: string;
    lastName?: string;
    roles?: string[];
    isSuperAdmin?: boolean;
    phone?: string;
  }): Promise<Person>;
  /** Sends an HTTP request, usually to `/v1`. A text body is sent unchanged, any other body as JSON. */
  rest(method: string, path: string, tokens?: Tokens, body?: unknown, more?: Record<string, string>): Promise<Answer>;
  /**
   * Sends a GraphQL request, by default as the platform. Returns the data, or the codes and messages of the errors and any partial data.
   */
  graphql(query: string, variables?: Record<string, unknown>, tokens?: Tokens): Promise<Answer['body']>;
  /** Returns the number of SQL statements that all requests have sent so far. */
  statements(): number;
  /** Starts to collect the SQL statements of all further requests. Returns the array to which they are appended. */
  texts(): string[];
  close(): Promise<void>;
}

const tokenHeaders = ({ platform, user }: Tokens): Record<string, string> => ({
  ...(platform ? { 'PB-API-TOKEN': platform } : {}),
  ...(user ? { 'PB-USER-TOKEN': user } : {}),
});

/** Time limits that even a busy machine does not reach, fast password hashing and no cached responses. Tests of these settings override them. */
const testSettings = {
  DATABASE_STATEMENT_TIMEOUT: '30',
  DATABASE_LOCK_TIMEOUT: '20',
  DATABASE_WAIT_TIMEOUT: '20',
  ANSWER_TIMEOUT: '40',
  TURN_TIMEOUT: '20',
  PASSWORD_HASH_MEMORY: String(cheapPasswordCost.memory),
  PASSWORD_HASH_PASSES: String(cheapPasswordCost.passes),
  ACCOUNT_MIN_DURATION: '0',
  // Tests count the statements of repeated requests.
  RESPONSE_CACHE_MB: '0',
};

/** Parts of a running app. */
interface Running {
  readonly resources: Resources;
  readonly sql: RequestSession;
  readonly statements: StatementCount;
  readonly origin: string;
  stop(): Promise<void>;
}

async function run(
  config: Config,
  databaseUrl: string,
  logLines: string[] | undefined,
  options: Pick<AppOptions, 'demoTokens' | 'schedule' | 'runsJobs'>,
): Promise<Running> {
  const { replicaUrls: replicas } = config;
  const orm = replicas.length ? openOrm({ url: databaseUrl, replicas, pool: 4, isLazy: true }) : await openReusedOrm(databaseUrl);
  const log = logLines
    ? pino({ level: 'trace', base: null }, { write: (line: string) => void logLines.push(line) })
    : pino({ level: process.env.TEST_LOG ?? 'silent' });
  const app = await createApp({ config, orm, databaseUrl, log, ...options });
  const statements: StatementCount = { count: 0 };
  const server = createServer(upgradesOf(app.upgrades), (request, response) =>
    countStatements(statements, () => app.listener(request, response)),
  ).listen(0, '127.0.0.1');
  if (app.upgrades) server.on('upgrade', app.upgrades.upgrade.bind(app.upgrades));
  await once(server, 'listening');
  return {
    resources: app.resources,
    sql: new Session(app.resources.pools, 'write') as RequestSession,
    statements,
    origin: `http://127.0.0.1:${portOf(server)}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await app.close();
      await (replicas.length ? orm.close() : closeReusedOrm(orm));
    },
  };
}

/**
 * Starts the complete service on a new database and a free port. It runs daily jobs only if a test passes a schedule. If a test passes
 * `logLines`, the log is appended to it.
 */
export async function startApp(
  environment: Record<string, string> = {},
  existingDatabase?: Database,
  schedule?: AppOptions['schedule'],
  runsJobs = true,
  logLines?: string[],
): Promise<TestApp> {
  const database = existingDatabase ?? (await freshDatabase());
  // Building subgraphs takes most of the startup time, so each test must name the subgraphs that it needs.
  const config = loadConfig({
    ...testSettings,
    SUBGRAPHS: 'none',
    ROUTER_SECRET: routerHeaders['router-secret'],
    ...environment,
  });
  const token = newToken();
  const demoKey = `pk_${newToken()}`;
  // Test modules and their variables stay in memory until the worker exits. A closed app must therefore be released.
  let running: Running | null = await run(config, database.url, logLines, {
    demoTokens: { platform: token, publishable: demoKey, user: demo.userToken, admin: demo.adminToken },
    schedule,
    runsJobs,
  });
  const { origin, statements } = running;
  const current = (): Running => running ?? expect.fail('the app is closed');
  await current().sql.rows(
    // Two apps on one database share the platform of the first app.
    `insert into platform (id, title, token_hash, token_hint) values ('test-platform', 'Test Platform', $1, 'test') on conflict do nothing`,
    [hashOf(token)],
  );
  let people = 0;

  return {
    origin,
    databaseUrl: database.url,
    get resources() {
      return current().resources;
    },
    get sql() {
      return current().sql;
    },
    platform: { platform: token },
    demoKey,
    async person({ email, firstName = 'Ana', lastName = 'Lopez', roles = [], isSuperAdmin = false, phone } = {}) {
      people += 1;
      const number = people;
      const id = `person-${number}`;
      const user = newToken();
      const { sql } = current();
      await sql.rows(
        `insert into app_user (id, email, first_name, last_name, phone, is_super_admin, verified_at, role_ids)
         values ($1, $2, $3, $4, $5, $6, now(), array(select id from role where title = any($7)))`,
        [id, email ?? `${id}@example.com`, firstName, lastName, phone ?? null, isSuperAdmin, roles],
      );
      await sql.rows(
        `insert into user_token (id, token_hash, user_id, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
        [`token-${number}`, hashOf(user), id],
      );
      return { id, user };
    },
    rest: (method, path, tokens = {}, body, more) => send(origin, method, path, tokens, body, more),
    async graphql(query, variables = {}, tokens) {
      const { body } = await send(origin, 'POST', '/graphql', tokens ?? { platform: token }, { query, variables });
      return body.errors
        ? {
            errors: body.errors.map(
              ({ message, extensions }: { message: string; extensions?: { code?: string } }) => `${extensions?.code}: ${message}`,
            ),
            ...(Object.values(body.data ?? {}).some((value) => value !== null) ? { data: body.data } : {}),
          }
        : body.data;
    },
    statements: () => statements.count,
    texts() {
      statements.texts = [];
      return statements.texts;
    },
    async close() {
      const { stop } = current();
      running = null;
      await stop();
      await database.drop();
    },
  };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request with `node:http`, which needs a third of the CPU time of `fetch`. */
async function send(
  origin: string,
  method: string,
  path: string,
  tokens: Tokens,
  body: unknown,
  more: Record<string, string> = {},
): Promise<Answer> {
  const bodyText = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    accept: '*/*',
    ...more,
    ...tokenHeaders(tokens),
    ...(bodyText === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bodyText) }),
  };
  const attempt = async (): Promise<IncomingMessage> => {
    const outgoing = request(new URL(path, origin), { method, headers, agent }).end(bodyText);
    try {
      return (await once(outgoing, 'response'))[0];
    } catch (error) {
      // The server may close an idle connection at the moment at which a request reuses it.
      if (outgoing.reusedSocket && errorCode(error) === 'ECONNRESET') return attempt();
      throw new Error(`no response to ${method} ${path} on a new connection`, { cause: error });
    }
  };
  const response = await attempt();
  const answer = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    body: answer === '' ? null : JSON.parse(answer),
  };
}
