import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { loadReference } from '../../src/modules/reference/load.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Server, startServer, tools } from '../support/debian-postgres.js';
import { type Process, secondProcess } from '../support/second-process.js';

if (tools === null) console.warn('no PostgreSQL 16 or newer with pg_dump is installed: the backup is not tested');

describe.skipIf(tools === null)('a backup', () => {
  let server: Server;
  let first: TestApp;
  let urls: [string, string];
  beforeAll(async () => {
    server = await startServer(tools ?? '');
    urls = [await server.database('courtside'), await server.database('restored')];
    const orm = await openOrm({ url: urls[0] });
    await migrate(orm);
    await loadReference(new Session(new Pools(orm), 'write'));
    await orm.close();
    first = await startApp({}, { url: urls[0], drop: async () => {} });
  }, 60_000);
  afterAll(async () => {
    await first?.close();
    await server?.stop();
  });

  /** What a service on a database answers, and what its audit has. */
  async function ask(service: Process, sql: Session) {
    const query =
      '{ tournaments(filter: { search: "autsin open" }) { totalCount nodes { id title } } payments { nodes { id amount } } }';
    return {
      answer: await service.graphql(query, {}, first.platform),
      audit: await sql.rows('select record_key as key, action, platform_id as platform from audit_entry where record_type = $1', [
        'Payment',
      ]),
    };
  }

  test('is restored into an empty database, and the service goes on with it', async () => {
    await first.graphql('mutation { createTournament(input: { id: "one", title: "Austin Open" }) { id } }');
    await first.graphql('mutation { createPayment(input: { id: "p1", amount: "12.50" }) { id } }');
    const one = await secondProcess(first);
    const before = await ask(one, first.sql);
    await one.close();
    server.run('pg_dump', '--no-owner', `--file=${server.file}`, urls[0]);
    // As the README has it by sed: functions of extensions do not name their schema.
    const text = await readFile(server.file, 'utf8');
    await writeFile(server.file, text.replace("'search_path', ''", "'search_path', 'public'"));
    server.run('psql', '--quiet', '--set=ON_ERROR_STOP=1', `--file=${server.file}`, urls[1]);
    const orm = await openOrm({ url: urls[1] });
    expect(await migrate(orm)).toEqual([]);
    const sql = new Session(new Pools(orm), 'write');
    const restored = await secondProcess({ databaseUrl: urls[1] });
    const after = await ask(restored, sql);
    await restored.graphql('mutation { createPayment(input: { id: "p2" }) { id } }', {}, first.platform);
    const { audit } = await ask(restored, sql);
    await restored.close();
    await orm.close();
    expect([before.answer.data.tournaments.totalCount, after]).toEqual([1, before]);
    expect(audit).toEqual([...before.audit, { key: 'p2', action: 'CREATED', platform: 'test-platform' }]);
  }, 60_000);
});
