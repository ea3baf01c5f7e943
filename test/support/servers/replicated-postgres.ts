import { chown, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { binariesFor } from '../../../src/database/embedded-binaries.js';
import { resolveHome } from '../../../src/database/embedded-home.js';
import { launchServer } from '../../../src/database/embedded-server.js';
import { startDatabaseProxy } from './database-proxy.js';

/** A real primary with a streaming replica. */
export interface Replicated {
  primary: string;
  replica: string;
  /** Pauses WAL replay on the replica until `resume` is called. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has replayed everything from the primary. */
  caughtUp(): Promise<void>;
  /** Stops the replication, so that later writes are lost if the replica is promoted. */
  disconnect(): void;
  /** Stops the primary and promotes the replica. */
  promote(): Promise<void>;
  /** Stops the replica. */
  stopReplica(): Promise<void>;
  stop(): Promise<void>;
}

async function runStatement(url: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}

/**
 * Starts a primary and a streaming replica. The replica starts from a base backup: a copy of the primary's files between `pg_backup_start`
 * and `pg_backup_stop`.
 */
export async function startReplicated(directory: string, prepare: (primary: string) => Promise<void>): Promise<Replicated> {
  const { wal_level: _, max_wal_senders: __, ...fast } = disposableSettings;
  const primary = await startEmbedded(directory, { settings: { ...fast, wal_level: 'replica', max_wal_senders: '4' } });
  await prepare(primary.url);
  const home = await resolveHome(directory);
  const [from, to] = [join(home.directory, 'postgres'), join(home.directory, 'replica')];
  const backup = new Client({ connectionString: primary.url });
  await backup.connect();
  await backup.query("select pg_backup_start('replica', true)");
  await mkdir(to, { mode: 0o700 });
  for (const name of await readdir(from))
    if (!['postmaster.pid', 'postmaster.opts'].includes(name) && !name.startsWith('.s.PGSQL.'))
      await cp(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true });
  const { rows } = await backup.query('select labelfile from pg_backup_stop(false)');
  await backup.end();
  await writeFile(join(to, 'backup_label'), rows[0].labelfile);
  await writeFile(join(to, 'standby.signal'), '');
  await own(to, home.account);
  const line = await startDatabaseProxy(primary.url);
  const { hostname, port, username, password } = new URL(line.url);
  const settings = {
    ...fast,
    hot_standby: 'on',
    max_connections: '200',
    max_wal_senders: '4',
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
  };
  const server = await launchServer({
    bin: await binariesFor(home.account),
    data: to,
    log: join(home.directory, 'replica.log'),
    account: home.account,
    settings,
  });
  const replica = Object.assign(new URL(primary.url), { port: String(server.port), search: '' }).href;
  return {
    primary: primary.url,
    replica,
    pause: async () => void (await runStatement(replica, 'select pg_wal_replay_pause()')),
    resume: async () => void (await runStatement(replica, 'select pg_wal_replay_resume()')),
    async caughtUp() {
      const position = await runStatement(primary.url, 'select pg_current_wal_insert_lsn()');
      while ((await runStatement(replica, `select pg_last_wal_replay_lsn() >= '${position}'`)) !== 'true');
    },
    disconnect: () => line.stop(),
    async promote() {
      await primary.stop();
      await runStatement(replica, 'select pg_promote()');
    },
    stopReplica: () => server.stop(),
    async stop() {
      await server.stop();
      await primary.stop();
      line.stop();
    },
  };
}

/** Changes the owner of the files to the user that runs the server. */
async function own(path: string, { uid, gid }: { uid?: number | undefined; gid?: number | undefined }): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await chown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), uid, gid);
}
