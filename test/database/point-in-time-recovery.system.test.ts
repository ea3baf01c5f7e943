import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbedded } from '../../src/database/embedded.js';
import { binariesFor } from '../../src/database/embedded-binaries.js';
import { resolveHome } from '../../src/database/embedded-home.js';
import { launchServer } from '../../src/database/embedded-server.js';
import { demo } from '../../src/demo/tokens.js';
import { hashOf } from '../../src/modules/accounts/tokens/secrets.js';
import { eventsAfterRestore, type Follower, followChanges } from '../support/checks/restored-service.js';
import { missingPostgresTools, runPostgresTool } from '../support/clients/postgres-tools.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { fill } from '../support/servers/crashable-postgres.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';
import { scratchDirectory } from '../support/servers/service-process.js';

const webhooks = { WEBHOOK_NETWORKS: '127.0.0.1' };
const platform = { platform: demo.platformToken };

/** Runs a statement and returns the first value as text. */
async function firstValue(url: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return String((await client.query({ text: statement, rowMode: 'array' })).rows[0]?.[0]);
  } finally {
    await client.end();
  }
}

describe(
  'a server that was recovered to a point in time from a base backup and archived WAL files',
  requires(missingPostgresTools),
  () => {
    let recovered: Process;
    let follower: Follower;
    const closers: (() => Promise<unknown>)[] = [];
    afterAll(async () => {
      for (const close of closers.reverse()) await close();
    });

    beforeAll(async () => {
      const directory = await scratchDirectory();
      const { account } = await resolveHome(directory);
      const own = async (path: string) => {
        if (account.uid !== undefined && account.gid !== undefined) await chown(path, account.uid, account.gid);
      };
      const [archive, backup] = [join(directory, 'archive'), join(directory, 'backup')];
      await mkdir(archive, { mode: 0o700 });
      await own(archive);
      // The same settings as in docs/backups.md.
      const settings = { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` };
      const original = await startEmbedded(join(directory, 'original'), { settings });
      let app: TestApp | null = null;
      try {
        await fill(original.url);
        app = await startApp(webhooks, { url: original.url, drop: async () => undefined });
        await app.sql.rows(`update platform set token_hash = $1 where id = 'test-platform'`, [hashOf(demo.platformToken)]);
        follower = await followChanges(app);
        closers.push(follower.close);
        const overTcp = Object.assign(new URL(original.url), { search: '' }).href;
        await runPostgresTool('pg_basebackup', '--checkpoint=fast', `--dbname=${overTcp}`, `--pgdata=${backup}`);
        const save = (id: string) =>
          app?.graphql('mutation ($id: ID!) { upsertTournament(input: { id: $id }) { id } }', { id }, platform);
        await save('before');
        const target = await firstValue(original.url, 'select clock_timestamp()::text');
        await save('after');
        await follower.catchUp();
        const lastFile = await firstValue(original.url, 'select pg_walfile_name(pg_switch_wal())');
        await vi.waitFor(async () => expect(await readdir(archive)).toContain(lastFile), { timeout: 15_000 });
        await writeFile(
          join(backup, 'postgresql.auto.conf'),
          `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${target}'\nrecovery_target_action = 'promote'\n`,
        );
        await writeFile(join(backup, 'recovery.signal'), '');
      } finally {
        await app?.close();
        await original.stop();
      }
      for (const entry of await readdir(backup, { recursive: true })) await own(join(backup, entry));
      await own(backup);
      const server = await launchServer({
        bin: await binariesFor(account),
        data: backup,
        log: join(directory, 'recovered.log'),
        account,
        settings: { timezone: 'UTC', max_connections: '200' },
      });
      closers.push(() => server.stop());
      const url = Object.assign(new URL(original.url), { port: String(server.port), search: '' }).href;
      // The server accepts connections shortly before it is promoted.
      await vi.waitFor(async () => expect(await firstValue(url, 'select pg_is_in_recovery()')).toBe('false'), {
        timeout: 15_000,
      });
      recovered = await secondProcess({ databaseUrl: url }, undefined, undefined, webhooks);
      closers.push(() => recovered.close());
    }, 120_000);

    test('has the rows that were written before the target, and not those that were written after it', async () => {
      const { data } = await recovered.graphql(
        '{ before: tournament(id: "before") { id } after: tournament(id: "after") { id } }',
        {},
        platform,
      );
      expect(data).toEqual({ before: { id: 'before' }, after: null });
    });

    test('notifies subscribers and webhooks of missed changes, and sends them later changes', async () => {
      expect(await follower.eventsFrom(recovered)).toEqual(eventsAfterRestore);
    });
  },
);
