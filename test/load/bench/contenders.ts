import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { Pools, Session } from '../../../src/kernel/session.js';
import { hashOf, newToken } from '../../../src/modules/accounts/tokens/secrets.js';
import { loadReference } from '../../../src/modules/reference/load-sql.js';
import { nodeFlags } from '../../../src/server/lifecycle/node-flags.js';
import { loadRows } from './dataset.js';

/** A server that handles workloads. */
export interface Contender {
  name: string;
  url: string;
  pid: number;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** Creates and fills the tables of the service. Returns the token of a platform. */
export async function prepareDatabase(url: string, fill = loadRows): Promise<string> {
  const orm = await openOrm({ url });
  await migrate(orm);
  await loadReference(new Session(new Pools(orm), 'write'));
  await orm.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  const token = newToken();
  await client.query(`insert into platform (id, title, token_hash) values ('bench', 'Bench', $1)`, [hashOf(token)]);
  await fill(client).finally(() => client.end());
  return token;
}

/** Long timeouts, so that requests do not fail on an overloaded machine. The results show the delays. */
const longTimeouts = { ANSWER_TIMEOUT: '60', TURN_TIMEOUT: '60', DATABASE_STATEMENT_TIMEOUT: '60', DATABASE_WAIT_TIMEOUT: '60' };

/** Starts a program that listens on a free port and prints its URL. */
async function start(args: string[], variables: Record<string, string>): Promise<Pick<Contender, 'url' | 'pid' | 'stop'>> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...longTimeouts, ...variables },
  });
  const exit = once(child, 'exit');
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const [, startedPort] = /up at http:\/\/\S+:(\d+)/.exec(String(text)) ?? [];
      if (startedPort) resolve(startedPort);
    });
    exit.then(([code]) => reject(new Error(`${args.at(-1)} ended with ${code}`)), reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await exit;
    },
  };
}

interface ServiceOptions {
  /** Directory for a CPU profile, which the service writes when it stops. */
  readonly profiles?: string | undefined;
  /** Additional options of Node.js. */
  readonly flags?: readonly string[];
  /** Size of the response cache, in megabytes. Default: 0, so that every response is computed. */
  readonly cacheMegabytes?: number;
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Name of the service with its response cache. */
export const cachedService = 'Courtside with response cache';

/**
 * Runs the service like `npm start`. Profiled code is not bundled, because a bundle does not show the source file of a function.
 */
export const startService = async (
  databaseUrl: string,
  token: string,
  { profiles, flags = [], cacheMegabytes = 0, variables = {} }: ServiceOptions = {},
): Promise<Contender> => {
  const profiling = [...nodeFlags, ...flags, ...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [])];
  const file = profiles ? 'dist/unbundled/src/main.js' : 'dist/src/main.js';
  const server = await start([...profiling, file], {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    RESPONSE_CACHE_MB: String(cacheMegabytes),
    ...variables,
  });
  return { name: cacheMegabytes > 0 ? cachedService : 'Courtside', ...server, headers: { 'PB-API-TOKEN': token } };
};

/** Starts a handwritten server. `baseline` uses Express, and `minimal` uses no framework. */
export const startHandwritten = async (name: 'baseline' | 'minimal', databaseUrl: string): Promise<Contender> => ({
  name,
  ...(await start([`dist/unbundled/test/load/bench/${name}.js`], { DATABASE_URL: databaseUrl })),
  headers: {},
});

const peers = 'test/load/bench/peers';

/** Starts other GraphQL servers on the same database. Installs their packages on first use. */
export async function startPeers(databaseUrl: string): Promise<Contender[]> {
  if (!existsSync(`${peers}/node_modules`)) {
    console.log('Installing the peers …');
    execFileSync('npm', ['ci', '--legacy-peer-deps', '--prefix', peers], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return Promise.all(
    ['postgraphile', 'mercurius'].map(async (name) => ({
      name,
      ...(await start([`${peers}/${name}.mjs`], { DATABASE_URL: databaseUrl })),
      headers: {},
    })),
  );
}
