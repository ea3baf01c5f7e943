import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextOf } from '../../src/graphql/context.js';
import { codeOf } from '../../src/kernel/declare/errors.js';
import { create, upsert } from '../../src/kernel/write/save.js';
import { Platform } from '../../src/modules/accounts/platforms/platform.js';
import { League } from '../../src/modules/leagues/league.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const caller = { platform: { id: 'test-platform', name: 'Test Platform' }, key: null, user: null, rejected: false };
const request = () => contextOf(app.resources, caller, 'write');

test('a transaction continues after a caught violation, with the writes before and after it', async () => {
  const context = request();
  const code = await context.sql.transaction(async () => {
    await create(context, Platform, { id: 'one', title: 'One' }, ['id']);
    const violation = await create(context, Platform, { id: 'two', title: 'One' }, ['id']).catch(codeOf);
    await create(context, Platform, { id: 'three', title: 'Three' }, ['id']);
    return violation;
  });
  const rows = await app.sql.rows(`select id from platform where id in ('one', 'two', 'three') order by id`);
  expect({ code, rows }).toEqual({ code: 'CONFLICT', rows: [{ id: 'one' }, { id: 'three' }] });
});

test('a nested transaction that fails is rolled back without the outer one', async () => {
  const context = request();
  await context.sql.transaction(async () => {
    await create(context, Platform, { id: 'outer', title: 'Outer' }, ['id']);
    const nested = context.sql.transaction(async () => {
      await create(context, Platform, { id: 'nested', title: 'Nested' }, ['id']);
      throw new Error('on purpose');
    });
    await nested.catch(() => undefined);
  });
  expect(await app.sql.rows(`select id from platform where id in ('outer', 'nested')`)).toEqual([{ id: 'outer' }]);
});

test('leagues with the same title that are created in concurrent transactions get distinct slugs', async () => {
  const createLeague = (id: string) => {
    const context = request();
    return context.sql.transaction(() => upsert(context, League, { id, title: 'Winter Ladder' }, ['slug']));
  };
  const rows = await Promise.all(Array.from({ length: 8 }, (_, index) => createLeague(`league-${index}`)));
  expect(new Set(rows.map(({ slug }) => slug)).size).toBe(8);
});
