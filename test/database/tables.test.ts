import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

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

/** Matches functions, triggers and tables that only migrations create, because no record declares them. */
const withoutRecord =
  /function|trigger|"jobs"\.|schema (?:if exists )?"jobs"|"rate_limit"|"sign_in_location"|"?row_count|"?tournament_name|"?tournament_word|"?search_text|"deleted_hidden_tournament"|"hidden_players_period"|"deleted_event"|"idempotent_response"|"cache_version"|"route_usage"|"route_pair"|"usage_sender"|"shadow_read"|"shadow_difference"|"change"|"change_log"|"webhook_position"|mikro_orm_migrations|"executed_migration"|set names/;

test('the migrations create exactly the tables that the records declare (npm run migration)', async () => {
  const statements = (await orm.schema.getUpdateSchemaSQL({ wrap: false })).split(';\n').map((statement) => statement.trim());
  expect(statements.filter((statement) => statement && !withoutRecord.test(statement))).toEqual([]);
});
