import 'reflect-metadata';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/database/orm.js';
import { Source, Sql } from '../../src/kernel/sql.js';
import { type Pair, startPair } from '../support/replica.js';
import { scratchDirectory } from '../support/service.js';

let pair: Pair;
let orm: MikroORM;
beforeAll(async () => {
  pair = await startPair(await scratchDirectory());
  orm = await connect({ url: pair.primary.url, replicas: [pair.replica.url] });
});
afterAll(async () => {
  await orm.close();
  await pair.stop();
});

const isReplica = (sql: Sql) => sql.row('select pg_is_in_recovery() as replica').then((row) => row?.replica);

test('reads of a query go to the replica, those of a mutation and those after a write to the primary', async () => {
  const source = new Source(orm);
  const writing = new Sql(source, 'read');
  writing.writes();
  expect([await isReplica(new Sql(source, 'read')), await isReplica(new Sql(source, 'write')), await isReplica(writing)]).toEqual(
    [true, false, false],
  );
});

test('what the primary commits arrives at the replica', async () => {
  const source = new Source(orm);
  await new Sql(source, 'write').rows('create table arrived as select 1 as one');
  const client = new Client({ connectionString: pair.replica.url });
  await client.connect();
  await expect
    .poll(async () => (await client.query("select count(*)::int from pg_tables where tablename = 'arrived'")).rows)
    .toEqual([{ count: 1 }]);
  await client.end();
});
