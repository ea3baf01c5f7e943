import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { statementChannel } from '../../src/database/prepared-client.js';
import { type Column, columnsOf, type FieldKind, metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { selectionFor } from '../../src/kernel/read/selection.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { queryBuilder } from '../../src/kernel/statement.js';
import { entityToRow } from '../../src/kernel/write/entities.js';
import { modules } from '../../src/modules/index.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: MikroORM;
let sql: Session;
beforeAll(async () => {
  database = await freshDatabase();
  orm = await openOrm({ url: database.url });
  sql = new Session(new Pools(orm), 'write');
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

const awkward = `é😀 'a' "b", \\ ? $1 :me {x}\n\tnull`;
const samples: Readonly<Record<Exclude<FieldKind, 'group'>, unknown>> = {
  id: 'entity',
  text: awkward,
  ref: awkward,
  values: null,
  flag: true,
  int: 7,
  num: 0.1,
  money: '12.30',
  instant: '2026-03-01T09:30:00.123456Z',
  json: JSON.stringify([{ a: awkward, b: [1, 0.1, null], c: { d: true } }]),
  list: [awkward, 'null', ' ', ''],
};

const sampleOf = ({ field }: Column): unknown =>
  field.values && !field.conversion ? Object.values(field.values)[0] : field.kind === 'group' ? null : samples[field.kind];

const columns = (cls: RecordClass) => [...columnsOf(metaOf(cls)).values()];

/** Inserts a row with a value in every column and, if possible, a row with only the required columns. Returns their IDs. */
async function insertSamples(cls: RecordClass): Promise<string[]> {
  const { table } = optionsOf(cls);
  const values = (selected: Column[], id: string) =>
    Object.fromEntries(selected.map((column) => [column.column, column.key === 'id' ? id : sampleOf(column)]));
  const required = columns(cls).filter(({ key, field }) => key === 'id' || (field.required && !field.default));
  await sql.run(queryBuilder.insertInto(table).values(values(columns(cls), 'full')));
  const requiredKeys = new Set(required.map(({ key }) => key));
  // Both rows contain the same sample values, so a second row would violate a unique constraint on required columns.
  const hasUnique =
    required.some(({ key, field }) => key !== 'id' && field.unique) ||
    optionsOf(cls).key?.every((key) => requiredKeys.has(key)) === true;
  if (!hasUnique) await sql.run(queryBuilder.insertInto(table).values(values(required, 'bare')));
  return hasUnique ? ['full'] : ['full', 'bare'];
}

const records = modules.flatMap((module) => module.records).map((cls): [string, RecordClass] => [cls.name, cls]);

test.each(records)('a %s reads the same as an entity and as a row, and a flush after the read writes nothing', async (_, cls) => {
  const ids = await insertSamples(cls);
  const keys = columns(cls).map(({ key }) => key);
  const rows = await sql.run(
    queryBuilder
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select(selectionFor(cls, keys).columns)
      .where('r.id', 'in', ids)
      .orderBy('r.id', 'desc'),
  );
  const writes: unknown[] = [];
  const listen = (text: unknown) => /^\s*(update|insert|delete)/i.test(String(text)) && writes.push(text);
  const entityRows = await sql.transaction(async (em) => {
    const where: object = { id: { $in: ids } };
    const entities = await em.find(cls, where, { orderBy: { id: 'desc' } as object });
    statementChannel.subscribe(listen);
    await em.flush();
    statementChannel.unsubscribe(listen);
    return entities.map((entity) => entityToRow(entity, keys));
  });
  expect({ entityRows, writes }).toEqual({ entityRows: rows, writes: [] });
});
