import type pg from 'pg';
import { expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { executedMigrations } from '../../src/database/ready-sql.js';
import { emptyDatabase } from '../support/servers/test-database.js';

test('closing the ORM ends its connections, so that a command that only reads exits immediately', async () => {
  const database = await emptyDatabase();
  const orm = openOrm({ url: database.url, isLazy: true });
  await executedMigrations(orm);
  const pool: pg.Pool = await orm.em.getDriver().getConnection('write').getNativeClient();
  const openBefore = pool.totalCount;
  await orm.close();
  expect({ openBefore, openAfter: pool.totalCount }).toEqual({ openBefore: 1, openAfter: 0 });
  await database.drop();
});
