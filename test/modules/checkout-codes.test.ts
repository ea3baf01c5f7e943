import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const { open, register, entry, checkout, save } = entriesOf(() => app);

test('a discount code is found in any case of letters, but not before one with these very letters', async () => {
  const who = await app.person();
  const eventId = await open({ fee: '40' }, {});
  await register({ eventId }, who);
  const registrationId = (await entry(eventId, who))?.registration;
  const code = (values: object) => save('DiscountCode', { appliesToRegistration: true, ...values });
  await code({ id: 'summer', code: 'Été25', discount: '1' });
  await code({ id: 'plain', code: 'ete25', discount: '2' });
  await code({ id: 'loud', code: 'ÉTÉ25!', discount: '3' });
  await code({ id: 'quiet', code: 'été25!', discount: '4', disabledAt: at(-1) });
  const totals = [];
  for (const discountCode of ['éTé25', 'ETE25', 'ÉTÉ25!', 'Été25!', 'E\u0301te\u030125'])
    totals.push((await checkout({ registrationId, discountCode }, who)).invoice?.total);
  expect([totals, await checkout({ registrationId, discountCode: 'été25!' }, who)]).toEqual([
    ['39', '38', '37', '37', '39'],
    ['CONFLICT: input.discountCode: the discount code is disabled'],
  ]);
});
