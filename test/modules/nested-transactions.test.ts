import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextOf } from '../../src/gateway/context.js';
import { codeOf } from '../../src/kernel/declare/errors.js';
import { create, upsert } from '../../src/kernel/write/save.js';
import { Platform } from '../../src/modules/accounts/platform.js';
import { League } from '../../src/modules/leagues/league.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const caller = { platform: { id: 'test-platform', name: 'Test Platform' }, key: null, user: null, rejected: false };
const request = () => contextOf(app.resources, caller, 'write');

test('a violation that is caught inside a transaction leaves what came before it, and what comes after it runs', async () => {
  const context = request();
  const code = await context.sql.transaction(async () => {
    await create(context, Platform, { id: 'one', title: 'One' }, ['id']);
    const caught = await create(context, Platform, { id: 'two', title: 'One' }, ['id']).catch(codeOf);
    await create(context, Platform, { id: 'three', title: 'Three' }, ['id']);
    return caught;
  });
  expect([code, await app.sql.rows(`select id from platform where id in ('one', 'two', 'three') order by id`)]).toEqual([
    'CONFLICT',
    [{ id: 'one' }, { id: 'three' }],
  ]);
});

test('a nested transaction that fails is rolled back alone', async () => {
  const context = request();
  await context.sql.transaction(async () => {
    await create(context, Platform, { id: 'kept', title: 'Kept' }, ['id']);
    const nested = context.sql.transaction(async () => {
      await create(context, Platform, { id: 'gone', title: 'Gone' }, ['id']);
      throw new Error('on purpose');
    });
    await nested.catch(() => undefined);
  });
  expect(await app.sql.rows(`select id from platform where id in ('kept', 'gone')`)).toEqual([{ id: 'kept' }]);
});

test('leagues of one title that are made inside transactions at the same moment get slugs of their own', async () => {
  const make = (id: string) => {
    const context = request();
    return context.sql.transaction(() => upsert(context, League, { id, title: 'Winter Ladder' }, ['slug']));
  };
  const rows = await Promise.all(Array.from({ length: 8 }, (_, index) => make(`league-${index}`)));
  expect(new Set(rows.map(({ slug }) => slug)).size).toBe(8);
});
