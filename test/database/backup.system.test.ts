import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runMigrate } from '../../src/commands/migrate.js';
import { grantStatements } from '../../src/database/grants-sql.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { demo } from '../../src/demo/tokens.js';
import { demoResponses, eventsAfterRestore, type Follower, followChanges } from '../support/checks/restored-service.js';
import { missingPostgresTools, runPostgresTool } from '../support/clients/postgres-tools.js';
import { requires } from '../support/prerequisites.js';
import type { TestApp } from '../support/servers/app.js';
import { ownedDatabase } from '../support/servers/owned-database.js';
import { startDemo } from '../support/servers/season.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';
import { scratchDirectory } from '../support/servers/service-process.js';
import type { Database } from '../support/servers/test-database.js';

const webhooks = { WEBHOOK_NETWORKS: '127.0.0.1' };

/** Returns the result of a statement, with one line per row. */
const query = async (url: string, statement: string) =>
  (await runPostgresTool('psql', '--tuples-only', '--no-align', `--command=${statement}`, url)).trim();

/** The `pg_restore` options in the documentation. */
const [, restoreOptions = ''] = /^pg_restore (.+) --dbname=/m.exec(readFileSync('docs/backups.md', 'utf8')) ?? [];

describe('a database that pg_restore restored as its unprivileged owner', requires(missingPostgresTools), () => {
  let original: TestApp;
  let target: Database;
  let restored: Process;
  let follower: Follower;
  /** Role of the service on the original server. The new server has no such role. */
  const originalRole = `service_${randomBytes(6).toString('hex')}`;
  const role = `service_${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    original = await startDemo(webhooks);
    follower = await followChanges(original);
    target = await ownedDatabase();
    const file = join(await scratchDirectory(), 'courtside.dump');
    for (const statement of [`create role ${originalRole}`, ...grantStatements(originalRole)]) await original.sql.rows(statement);
    await runPostgresTool('pg_dump', '--format=custom', `--file=${file}`, original.databaseUrl);
    for (const statement of [
      `drop owned by ${originalRole}`,
      `drop role ${originalRole}`,
      `create role ${role} login password 'letters'`,
    ])
      await original.sql.rows(statement);
    await runPostgresTool('pg_restore', ...restoreOptions.split(' '), `--dbname=${target.url}`, file);
    vi.stubEnv('DATABASE_URL', target.url);
    await runMigrate(['--grants', role], () => undefined);
    vi.unstubAllEnvs();
    const databaseUrl = Object.assign(new URL(target.url), { username: role }).href;
    restored = await secondProcess({ databaseUrl }, undefined, undefined, webhooks);
  }, 120_000);
  afterAll(async () => {
    await follower?.close();
    await restored?.close();
    await original?.close();
    await target?.drop();
  });

  test('grants the role of the service its rights, except the right to change tables', async () => {
    const rights = `select has_table_privilege('${role}', 'tournament', 'update'), has_table_privilege('${role}', 'audit_entry', 'update'),
      has_table_privilege('${role}', 'tournament', 'truncate')`;
    expect(await query(target.url, rights)).toBe('t|f|f');
  });

  test('needs no migration', async () => {
    const orm = openOrm({ url: target.url });
    const applied = await migrate(orm);
    await orm.close();
    expect(applied).toEqual([]);
  });

  test('returns the same responses to all GET operations of /v1 and to queries', async () => {
    const responses = await demoResponses(original);
    expect(Object.keys(responses).length).toBeGreaterThan(60);
    expect(await demoResponses(restored)).toEqual(responses);
  }, 60_000);

  test('has the same triggers, functions and indexes', async () => {
    const definitions = `select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
      union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
      union all select oid::regprocedure || prosrc from pg_proc where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by 1`;
    expect(await query(target.url, definitions)).toBe(await query(original.databaseUrl, definitions));
  });

  test('accepts writes, and adds them to the audit trail', async () => {
    const payment = 'mutation { createPayment(input: { id: "p1", amount: "12.50" }) { id amount } }';
    const { data } = await restored.graphql(payment, {}, { platform: demo.platformToken });
    const entry = await query(target.url, `select action, platform_id from audit_entry where record_key = 'p1'`);
    expect({ data, entry }).toEqual({ data: { createPayment: { id: 'p1', amount: '12.5' } }, entry: 'CREATED|demo-platform' });
  });

  test('notifies subscribers and webhooks of missed changes, and sends them later changes', async () => {
    expect(await follower.eventsFrom(restored)).toEqual(eventsAfterRestore);
  });
});
