import { Pool } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { loadDemo } from '../../../src/demo/index.js';
import { demo } from '../../../src/demo/tokens.js';
import { Pools, Session } from '../../../src/kernel/session.js';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { loadReference } from '../../../src/modules/reference/load-sql.js';
import { type Process, startProcess } from '../service-process.js';

/** Tokens of the callers. The text of each token occurs nowhere else, so that a leak can be detected. */
export const tokens = {
  platform: 'abuse-platform-token-4f1c',
  user: 'abuse-user-token-9b2e',
  admin: 'abuse-admin-token-7d3a',
  key: 'pk_abuse-publishable-key-5e8f',
} as const;

/** A password that requests contain. No response and no log may contain it. */
export const password = 'Abuse-Secret-Password-31c7';

/** SQL that restores the callers after requests have deleted, renamed or locked them. */
const restoreSql = (at: Record<keyof typeof tokens, string>): string => `
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
  insert into publishable_key (id, platform_id, hint, key_hash) values ('abuse-key', 'abuse-platform', 'pk_', '${at.key}')
    on conflict (id) do update set platform_id = excluded.platform_id, key_hash = excluded.key_hash, revoked_at = null`;

/** The attacked service in a separate process, and its database. */
export interface Service extends Process {
  readonly database: Pool;
  /** Restores the callers and their tokens. */
  restore(): Promise<void>;
  /** Starts a second process on the database. Returns its origin. */
  startSecondProcess(): Promise<string>;
}

/** Fills the database with the demo season before the service starts, so that measurements exclude the loading of the data. */
async function fillDatabase(url: string): Promise<void> {
  const orm = await openOrm({ url });
  await migrate(orm);
  const sql = new Session(new Pools(orm), 'write');
  await loadReference(sql);
  await loadDemo(sql, () => undefined);
  // Production refuses a database in which the public token of the demo platform is valid.
  await sql.rows('update platform set is_enabled = false where token_hash = $1', [hashOf(demo.platformToken)]);
  await orm.close();
}

/** Starts an embedded PostgreSQL with the demo season in a directory, and the built service that uses it. */
export async function startService(directory: string): Promise<Service> {
  const postgres = await startEmbedded(directory, { settings: disposableSettings });
  const open: { stop(): Promise<unknown> }[] = [postgres];
  const stop = async () => {
    for (const each of open.toReversed()) await each.stop();
  };
  try {
    await fillDatabase(postgres.url);
    const one = await startProcess({ DATABASE_URL: postgres.url });
    open.push(one);
    const database = new Pool({ connectionString: postgres.url });
    open.push({ stop: () => database.end() });
    const hashes = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, hashOf(token)]));
    const statement = restoreSql(hashes as Record<keyof typeof tokens, string>);
    return {
      ...one,
      database,
      restore: () => database.query(statement).then(() => undefined),
      async startSecondProcess() {
        const { origin, stop } = await startProcess({ DATABASE_URL: postgres.url });
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
