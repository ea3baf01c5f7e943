import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { type Database, freshDatabase } from '../support/database.js';

let database: Database;
let orm: MikroORM;
beforeAll(async () => {
  database = await freshDatabase();
  orm = await openOrm({ url: database.url });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

/** Functions, triggers and the tables of jobs, limits, sign-ins, counts, names, their words, first answers, versions, usage and changes are no records: only migrations know them. */
const others =
  /function|trigger|"jobs"\.|schema (?:if exists )?"jobs"|"rate_limit"|"sign_in_place"|"?row_count|"?tournament_name|"?tournament_word|"first_answer"|"kept_version"|"route_usage"|"route_pair"|"usage_sender"|"shadow_read"|"shadow_difference"|"change"|"change_log"|"webhook_place"|mikro_orm_migrations|set names/;

test('the migrations make the tables that the records declare, no more and no less (npm run migration)', async () => {
  const statements = (await orm.schema.getUpdateSchemaSQL({ wrap: false })).split(';\n').map((statement) => statement.trim());
  expect(statements.filter((statement) => statement && !others.test(statement))).toEqual([]);
});
