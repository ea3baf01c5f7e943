import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const [usa, canada, texas] = ['840', '124', '48'];

/** Updates the profile of a new user with an invalid phone number. Returns the selected fields, or the error with its problems. */
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
    ? {
        code: error.extensions.code,
        problems: error.extensions.problems.map(({ field, expected }: Record<string, string>) => `${field}: ${expected}`),
      }
    : body.data.updateProfile;
}
const phoneProblem = 'input.phone: a phone number that can be called, such as +1 512 555 0123';
const birthProblem = 'input.dateOfBirth: a day from 1900-01-01 to today';

test('all problems of a profile are reported together', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const invalidInput = { phone: 'call me', phoneCountryId: 'US', countryId: 'nowhere', stateId: '99999', dateOfBirth: tomorrow };
  expect(await change({ ...invalidInput, zip: '1'.repeat(30) })).toEqual({
    code: 'BAD_INPUT',
    problems: [
      'input.zip: at most 20 characters',
      phoneProblem,
      'input.phoneCountryId: the id of a country',
      birthProblem,
      'input.countryId: the id of a country',
      'input.stateId: the id of a state',
    ],
  });
});

test.each([
  ['a date of birth before 1900', { dateOfBirth: '1899-12-31' }, birthProblem],
  ['an incomplete phone number', { phone: '+1 512 555 01' }, phoneProblem],
  ['an unknown country in `legacy`', { legacy: { countryId: 'nowhere' } }, 'input.countryId: the id of a country'],
  ['a state of another country', { countryId: canada, stateId: texas }, 'input.stateId: a state of the country'],
])('%s is rejected', async (_, input, problem) => {
  expect(await change(input)).toEqual({ code: 'BAD_INPUT', problems: [problem] });
});

test('a national phone number is accepted together with its country', async () => {
  expect(await change({ phone: '512 555 0123', phoneCountryId: canada })).toEqual({ city: null });
});

test('valid fields are stored', async () => {
  const valid = { phone: '+49 30 901820', dateOfBirth: '1990-02-03', countryId: usa, stateId: texas, phoneCountryId: usa };
  expect(await change(valid, 'phone dateOfBirth country { alpha2 } state { abbreviation }')).toEqual({
    phone: valid.phone,
    dateOfBirth: valid.dateOfBirth,
    country: { alpha2: 'US' },
    state: { abbreviation: 'TX' },
  });
});

test('fields are cleared with null or empty text', async () => {
  const fields = 'phone dateOfBirth stateId';
  expect(await change({ phone: null, dateOfBirth: null, stateId: '' }, fields)).toEqual({
    phone: null,
    dateOfBirth: null,
    stateId: '',
  });
});

test('a stored invalid phone number may be sent unchanged', async () => {
  expect(await change({ phone: '12', city: 'Reno' })).toEqual({ city: 'Reno' });
});

test('today is a valid date of birth', async () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(await change({ dateOfBirth: today, city: 'Reno' })).toEqual({ city: 'Reno' });
});
