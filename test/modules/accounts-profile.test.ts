import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const [usa, canada, texas] = ['840', '124', '48'];

/** Changes the profile of a new person, whose number cannot be called: the fields asked for, or the problems. */
async function change(input: object, fields = 'city') {
  const { user } = await app.person({ phone: '12' });
  const { body } = await app.rest(
    'POST',
    '/graphql',
    { user },
    {
      query: `mutation ($input: UserInput!) { updateProfile(input: $input) { ${fields} } }`,
      variables: { input },
    },
  );
  const [error] = body.errors ?? [];
  return error
    ? [
        error.extensions.code,
        ...error.extensions.problems.map(({ field, expected }: Record<string, string>) => `${field}: ${expected}`),
      ]
    : body.data.updateProfile;
}
const number = 'input.phone: a phone number that can be called, such as +1 512 555 0123';
const birth = 'input.dateOfBirth: a day from 1900-01-01 to today';

test('all that is wrong with a profile is told at once', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const wrong = { phone: 'call me', phoneCountryId: 'US', countryId: 'nowhere', stateId: '99999', dateOfBirth: tomorrow };
  expect([
    await change({ ...wrong, zip: '1'.repeat(30) }),
    await change({ dateOfBirth: '1899-12-31' }),
    await change({ phone: '+1 512 555 01' }),
    await change({ phone: '512 555 0123', phoneCountryId: canada }),
    await change({ countryId: canada, stateId: texas }),
  ]).toEqual([
    [
      'BAD_INPUT',
      'input.zip: at most 20 characters',
      number,
      'input.phoneCountryId: the id of a country',
      birth,
      'input.countryId: the id of a country',
      'input.stateId: the id of a state',
    ],
    ['BAD_INPUT', birth],
    ['BAD_INPUT', number],
    { city: null },
    ['BAD_INPUT', 'input.stateId: a state of the country'],
  ]);
});

test('what is right is kept, what is cleared goes, and what was there before may stay', async () => {
  const right = { phone: '+49 30 901820', dateOfBirth: '1990-02-03', countryId: usa, stateId: texas, phoneCountryId: usa };
  const today = new Date().toISOString().slice(0, 10);
  expect([
    await change(right, 'phone dateOfBirth country { alpha2 } state { abbreviation }'),
    await change({ phone: null, dateOfBirth: null, stateId: '' }, 'phone dateOfBirth stateId'),
    await change({ phone: '12', city: 'Reno', dateOfBirth: today }),
  ]).toEqual([
    { phone: right.phone, dateOfBirth: right.dateOfBirth, country: { alpha2: 'US' }, state: { abbreviation: 'TX' } },
    { phone: null, dateOfBirth: null, stateId: '' },
    { city: 'Reno' },
  ]);
});
