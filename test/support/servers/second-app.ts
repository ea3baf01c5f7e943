import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Logger, pino } from 'pino';
import { loadConfig } from '../../../src/config/index.js';
import { openOrm } from '../../../src/database/orm.js';
import { portOf } from '../../../src/process/port.js';
import { type AppOptions, createApp } from '../../../src/server/app.js';
import type { Answer, TestApp, Tokens } from './app.js';

/** A second instance of the service on the same database, which shares no connection pool, cache or port with the first. */
export interface Process {
  origin: string;
  graphql(query: string, variables: object, tokens: Tokens): Promise<Answer['body']>;
  close(): Promise<void>;
}

/** Starts a second instance of the service on the database of a test app. */
export async function secondProcess(
  { databaseUrl }: Pick<TestApp, 'databaseUrl'>,
  log: Logger = pino({ level: 'silent' }),
  schedule?: AppOptions['schedule'],
  environment: Record<string, string> = {},
  demoTokens: AppOptions['demoTokens'] = null,
): Promise<Process> {
  const orm = await openOrm({ url: databaseUrl, pool: 4 });
  const app = await createApp({ config: loadConfig(environment), orm, databaseUrl, log, schedule, demoTokens });
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    origin,
    async graphql(query, variables, { platform, user }) {
      const tokens = { ...(platform ? { 'PB-API-TOKEN': platform } : {}), ...(user ? { 'PB-USER-TOKEN': user } : {}) };
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...tokens },
        body: JSON.stringify({ query, variables }),
      });
      return JSON.parse(await response.text());
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await app.close();
      await orm.close();
    },
  };
}
