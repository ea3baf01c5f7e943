import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../support/fixtures/event-registrations.js';
import { at } from '../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const { open, register, entry, checkout, save } = entriesOf(() => app);

test('a discount code matches in any case, and an exact match has priority', async () => {
  const player = await app.person();
  const eventId = await open({ fee: '40' }, {});
  await register({ eventId }, player);
  const registrationId = (await entry(eventId, player))?.registration;
  const createCode = (values: object) => save('DiscountCode', { appliesToRegistration: true, ...values });
  await createCode({ id: 'summer', code: 'Été25', discount: '1' });
  await createCode({ id: 'plain', code: 'ete25', discount: '2' });
  await createCode({ id: 'loud', code: 'ÉTÉ25!', discount: '3' });
  await createCode({ id: 'quiet', code: 'été25!', discount: '4', disabledAt: at(-1) });
  const checkoutWith = (discountCode: string) => checkout({ registrationId, discountCode }, player);
  const total = (amount: string) => ({ invoice: { total: amount } });
  expect({
    otherCase: await checkoutWith('éTé25'),
    withoutAccents: await checkoutWith('ETE25'),
    exact: await checkoutWith('ÉTÉ25!'),
    otherCaseOfTwo: await checkoutWith('Été25!'),
    decomposed: await checkoutWith('E\u0301te\u030125'),
    exactButDisabled: await checkoutWith('été25!'),
  }).toEqual({
    otherCase: total('39'),
    withoutAccents: total('38'),
    exact: total('37'),
    otherCaseOfTwo: total('37'),
    decomposed: total('39'),
    exactButDisabled: ['CONFLICT: input.discountCode: the discount code is disabled'],
  });
});

test('a user may try ten wrong discount codes an hour, and correct ones do not count', async () => {
  const player = await app.person();
  const eventId = await open({ fee: '40' });
  await register({ eventId }, player);
  const registrationId = (await entry(eventId, player))?.registration;
  await save('DiscountCode', { id: 'guessed', code: 'GUESSED', discount: '1', appliesToRegistration: true });
  const attempt = (discountCode?: string) => checkout({ registrationId, discountCode }, player);
  const right = { invoice: { total: '39' } };
  const wrong = ['BAD_INPUT: input.discountCode: expected a discount code of the tournament'];
  for (let count = 0; count < 12; count++) expect(await attempt('GUESSED')).toEqual(right);
  for (let count = 0; count < 10; count++) expect(await attempt(`GUESS-${count}`)).toEqual(wrong);
  expect({ wrong: await attempt('GUESS-10'), right: await attempt('GUESSED'), without: await attempt() }).toEqual({
    wrong: ['RATE_LIMITED: too many tries: wait before the next one'],
    right: ['RATE_LIMITED: too many tries: wait before the next one'],
    without: right,
  });
});
