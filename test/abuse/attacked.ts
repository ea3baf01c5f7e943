import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { disposable, startEmbedded } from '../../src/database/embedded.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { loadDemo } from '../../src/demo/index.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { loadReference } from '../../src/modules/reference/load.js';

/** Those who send requests, and their tokens; nobody else has them, and all of them are secrets. */
export const tokens = {
  platform: 'abuse-platform-token-4f1c',
  user: 'abuse-user-token-9b2e',
  admin: 'abuse-admin-token-7d3a',
  key: 'pk_abuse-publishable-key-5e8f',
} as const;

/** A password that requests carry, which no answer and no log may. */
export const password = 'Abuse-Secret-Password-31c7';

/** What the run needs to be there again after requests have ended, renamed or locked it. */
const restoring = (at: Record<keyof typeof tokens, string>): string => `
  insert into platform (id, title, token_hash, token_hint) values ('abuse-platform', 'Abuse', '${at.platform}', 'abus')
    on conflict (id) do update set token_hash = excluded.token_hash, is_enabled = true;
  insert into app_user (id, email, first_name, last_name, is_super_admin, verified_at, role_ids) values
    ('abuse-user', 'abuse-user@example.com', 'Uma', 'User', false, now(), '{}'),
    ('abuse-admin', 'abuse-admin@example.com', 'Ada', 'Admin', true, now(), array(select id from role))
    on conflict (id) do update set email = excluded.email, is_super_admin = excluded.is_super_admin,
      verified_at = now(), role_ids = excluded.role_ids;
  insert into user_token (id, token_hash, user_id, expires_at) values
    ('abuse-user', '${at.user}', 'abuse-user', now() + interval '1 day'),
    ('abuse-admin', '${at.admin}', 'abuse-admin', now() + interval '1 day')
    on conflict (id) do update set token_hash = excluded.token_hash, user_id = excluded.user_id,
      expires_at = excluded.expires_at, revoked_at = null;
  insert into publishable_key (id, platform_id, key_hash) values ('abuse-key', 'abuse-platform', '${at.key}')
    on conflict (id) do update set platform_id = excluded.platform_id, key_hash = excluded.key_hash, revoked_at = null`;

/** The service under attack, in a process of its own, and its database. */
export interface Service {
  readonly origin: string;
  readonly database: Pool;
  /** What it wrote since the last time this was asked for. */
  log(): string;
  /** Whether the process is still the one that was started. */
  isUp(): boolean;
  /** Resident memory in MB; 0 on systems that don't tell. */
  memory(): number;
  /** Brings those who send requests, and their tokens, back. */
  restore(): Promise<void>;
  /** Starts a second process on the database; its origin. */
  another(): Promise<string>;
  stop(): Promise<void>;
}

/** Fills the database with the demo season, so that the service is measured without that. */
async function fillDatabase(url: string): Promise<void> {
  const orm = await openOrm({ url });
  await migrate(orm);
  const sql = new Session(new Pools(orm), 'write');
  await loadReference(sql);
  await loadDemo(sql, () => undefined);
  await orm.close();
}

interface Started extends Pick<Service, 'origin' | 'log' | 'isUp' | 'memory' | 'stop'> {}

/** Starts the built service on a database that is filled. */
async function startProcess(databaseUrl: string): Promise<Started> {
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', DATABASE_URL: databaseUrl },
  });
  const gone = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const isUp = () => child.exitCode === null && child.signalCode === null;
  const log = () => {
    const written = output;
    output = '';
    return written;
  };
  for (;;) {
    const [, port] = /up at http:\/\/\S+:(\d+)/.exec(output) ?? [];
    if (!isUp()) throw new Error(`the service ended with ${child.exitCode}: ${output}`);
    if (port) {
      // What it tells at its start has the tokens of the season.
      log();
      const stop = async () => {
        child.kill();
        await gone;
      };
      return { origin: `http://127.0.0.1:${port}`, log, isUp, memory: () => memoryOf(child.pid), stop };
    }
    await sleep(50);
  }
}

/** Starts an embedded PostgreSQL with the demo season in the directory, and the built service on it. */
export async function startService(directory: string): Promise<Service> {
  const postgres = await startEmbedded(directory, { settings: disposable });
  const open: { stop(): Promise<unknown> }[] = [postgres];
  const stop = async () => {
    for (const each of open.toReversed()) await each.stop();
  };
  try {
    await fillDatabase(postgres.url);
    const one = await startProcess(postgres.url);
    open.push(one);
    const database = new Pool({ connectionString: postgres.url });
    open.push({ stop: () => database.end() });
    const hashes = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, hashOf(token)]));
    const statement = restoring(hashes as Record<keyof typeof tokens, string>);
    return {
      ...one,
      database,
      restore: () => database.query(statement).then(() => undefined),
      async another() {
        const { origin, stop } = await startProcess(postgres.url);
        open.push({ stop });
        return origin;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function memoryOf(pid = 0): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
