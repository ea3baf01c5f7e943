import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { missingPostgresTools, runPostgresTool } from '../support/clients/postgres-tools.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

/** Returns a URL that connects over TCP. The tools may run in a chroot, where the socket of the server does not exist. */
const overTcp = (url: string): string => Object.assign(new URL(url), { search: '' }).href;

describe('a dump of pg_dump', requires(missingPostgresTools), () => {
  let original: TestApp;
  let target: Database;
  let restored: Process;
  const query =
    '{ tournaments(filter: { search: "autsin open" }) { totalCount nodes { id title } } payments { nodes { id amount } } }';
  const auditEntries = () =>
    original.sql.rows('select record_key as key, action, platform_id as platform from audit_entry where record_type = $1', [
      'Payment',
    ]);

  beforeAll(async () => {
    original = await startApp();
    await original.graphql('mutation { createTournament(input: { id: "one", title: "Austin Open" }) { id } }');
    await original.graphql('mutation { createPayment(input: { id: "p1", amount: "12.50" }) { id } }');
    target = await emptyDatabase();
    const dump = await runPostgresTool('pg_dump', ['--no-owner', overTcp(original.databaseUrl)]);
    // The same replacement as in docs/operating.md. Functions of extensions do not qualify names with their schema.
    const sql = dump.replace("'search_path', ''", "'search_path', 'public'");
    await runPostgresTool('psql', ['--quiet', '--set=ON_ERROR_STOP=1', overTcp(target.url)], sql);
    restored = await secondProcess({ databaseUrl: target.url });
  }, 60_000);
  afterAll(async () => {
    await restored?.close();
    await original?.close();
    await target?.drop();
  });

  test('restores a database that needs no migration', async () => {
    const orm = openOrm({ url: target.url });
    const applied = await migrate(orm);
    await orm.close();
    expect(applied).toEqual([]);
  });

  test('restores the answers of the graph, including searches for misspelled words', async () => {
    const tables = {
      tournaments: { totalCount: 1, nodes: [{ id: 'one', title: 'Austin Open' }] },
      payments: { nodes: [{ id: 'p1', amount: '12.5' }] },
    };
    const { data } = await restored.graphql(query, {}, original.platform);
    expect({ original: await original.graphql(query), restored: data }).toEqual({ original: tables, restored: tables });
  });

  test('restores the audit trail, which continues', async () => {
    const before = await auditEntries();
    await restored.graphql('mutation { createPayment(input: { id: "p2" }) { id } }', {}, original.platform);
    const after = await runPostgresTool('psql', [
      '--tuples-only',
      '--no-align',
      '--field-separator= ',
      "--command=select record_key, action, platform_id from audit_entry where record_type = 'Payment' order by record_key",
      overTcp(target.url),
    ]);
    expect({ before, after: after.trim().split('\n') }).toEqual({
      before: [{ key: 'p1', action: 'CREATED', platform: 'test-platform' }],
      after: ['p1 CREATED test-platform', 'p2 CREATED test-platform'],
    });
  });
});
