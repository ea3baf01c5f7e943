import { once } from 'node:events';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { type AppOptions, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { openOrm } from '../../src/database/orm.js';
import type { Resources } from '../../src/gateway/context.js';
import { type Row, Session } from '../../src/kernel/session.js';
import { hashOf, newToken } from '../../src/modules/accounts/secrets.js';
import { portOf } from '../../src/port.js';
import { type Database, freshDatabase } from './database.js';
import { counting, type Taken } from './statements.js';

/** What routers prove themselves by, at every app of a test. */
export const asRouter = { 'router-secret': 'the-secret-of-routers' } as const;

/** Whose tokens a request carries. */
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

/** A person of a test, with a token to act with. */
export interface Person extends Tokens {
  id: string;
  user: string;
}

/** A session with which a test asks for rows that it knows. */
export type Asking = Session & {
  rows<T extends Row>(text: string, values?: unknown[]): Promise<T[]>;
  row<T extends Row>(text: string, values?: unknown[]): Promise<T | null>;
};

export interface TestApp {
  origin: string;
  databaseUrl: string;
  resources: Resources;
  sql: Asking;
  /** The token of a platform that is there from the start. */
  platform: Tokens & { platform: string };
  /** A verified user with these roles, and a token of theirs. */
  person(values?: {
    email?: string;
    firstName?: string;
    lastName?: string;
    roles?: string[];
    isSuperAdmin?: boolean;
    phone?: string;
  }): Promise<Person>;
  /** A `/v1` request; the body is sent as JSON unless it is text. */
  rest(method: string, path: string, tokens?: Tokens, body?: unknown, more?: Record<string, string>): Promise<Answer>;
  /** A GraphQL request, by default as the platform: its data, or its errors' codes and messages with what of the data is there. */
  graphql(query: string, variables?: Record<string, unknown>, tokens?: Tokens): Promise<Answer['body']>;
  /** Statements that its requests took so far. */
  statements(): number;
  close(): Promise<void>;
}

const tokenHeaders = ({ platform, user }: Tokens): Record<string, string> => ({
  ...(platform ? { 'PB-API-TOKEN': platform } : {}),
  ...(user ? { 'PB-USER-TOKEN': user } : {}),
});

/** What the service gives up after a few seconds may take longer on a starved machine, which is not what these tests are about. */
const patient = {
  DATABASE_STATEMENT_TIMEOUT: '30',
  DATABASE_LOCK_TIMEOUT: '20',
  DATABASE_WAIT_TIMEOUT: '20',
  ANSWER_TIMEOUT: '40',
  TURN_TIMEOUT: '20',
};

/** The whole service on a fresh database and a free port. What is done daily is done where a test gives it a timetable. */
export async function startApp(
  environment: Record<string, string> = {},
  given?: Database,
  timetable?: AppOptions['timetable'],
  jobs = true,
): Promise<TestApp> {
  const database = given ?? (await freshDatabase());
  // A test that is about subgraphs asks for them: they take longer to cut than all the rest to start.
  const config = loadConfig({ ...patient, SUBGRAPHS: 'none', ROUTER_SECRET: asRouter['router-secret'], ...environment });
  const orm = openOrm({ url: database.url, replicas: config.replicaUrls, pool: 4, lazily: true });
  const token = newToken();
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const demoTokens = { platform: token, user: '', admin: '' };
  const app = await createApp({ config, orm, databaseUrl: database.url, log, demoTokens, timetable, jobs });
  const taken: Taken = { count: 0 };
  const server = createServer((request, response) => counting(taken, () => app.listener(request, response))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const sql = new Session(app.resources.pools, 'write');
  await sql.rows(
    // A second app on a database is asked by the platform of the first.
    `insert into platform (id, title, token_hash, token_hint) values ('test-platform', 'Test Platform', $1, 'test') on conflict do nothing`,
    [hashOf(token)],
  );
  let people = 0;

  async function send(
    method: string,
    path: string,
    tokens: Tokens,
    body: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { ...more, ...tokenHeaders(tokens), ...(text === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(origin + path, {
      method,
      headers,
      redirect: 'manual',
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, body: answer === '' ? null : JSON.parse(answer) };
  }

  return {
    origin,
    databaseUrl: database.url,
    resources: app.resources,
    sql: sql as Asking,
    platform: { platform: token },
    async person({ email, firstName = 'Ana', lastName = 'Lopez', roles = [], isSuperAdmin = false, phone } = {}) {
      people += 1;
      const number = people;
      const id = `person-${number}`;
      const user = newToken();
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
    rest: (method, path, tokens = {}, body, more) => send(method, path, tokens, body, more),
    async graphql(query, variables = {}, tokens) {
      const { body } = await send('POST', '/graphql', tokens ?? { platform: token }, { query, variables });
      return body.errors
        ? {
            errors: body.errors.map(
              ({ message, extensions }: { message: string; extensions?: { code?: string } }) => `${extensions?.code}: ${message}`,
            ),
            ...(Object.values(body.data ?? {}).some((value) => value !== null) ? { data: body.data } : {}),
          }
        : body.data;
    },
    statements: () => taken.count,
    async close() {
      server.close();
      server.closeAllConnections();
      await app.close();
      await orm.close();
      await database.drop();
    },
  };
}
