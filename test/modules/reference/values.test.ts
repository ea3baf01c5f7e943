import { getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { referenceDataOf } from '../../../src/kernel/declare/fields/legacy-fields.js';
import { groupOf, metaOf, type RecordMeta } from '../../../src/kernel/declare/meta.js';
import { metaOfInput } from '../../../src/kernel/write/input.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await app.person({ isSuperAdmin: true });
  await app.sql.rows(`insert into game (id, owner_id, starts_at) values ('99', $1, now() + interval '1 day')`, [person.id]);
});
afterAll(() => app.close());

/** Returns an input with an unknown value in each field that refers to reference data, and the paths of these values. */
function unknownIn(meta: RecordMeta, path: string): { input: Record<string, unknown>; paths: string[] } {
  const input: Record<string, unknown> = {};
  const paths: string[] = [];
  for (const field of meta.fields.values()) {
    if (field.readOnly || field.secret) continue;
    const items = field.group?.();
    if (referenceDataOf(field)) {
      input[field.name] = '99999';
      paths.push(`${path}.${field.name}`);
    } else if (field.group) {
      const inner = Array.isArray(items)
        ? unknownIn(metaOf(items[0]), `${path}.${field.name}[0]`)
        : unknownIn(groupOf(field), `${path}.${field.name}`);
      if (inner.paths.length === 0) continue;
      input[field.name] = Array.isArray(items) ? [inner.input] : inner.input;
      paths.push(...inner.paths);
    }
  }
  return { input, paths };
}

/** Mutations with a record input that contains references to reference data. */
const mutations = Object.values(graphOfModules().getMutationType()?.getFields() ?? {}).flatMap((field) => {
  const type = field.args.find(({ name }) => name === 'input')?.type;
  const meta = type && metaOfInput(getNamedType(type).name);
  const unknown = meta ? unknownIn(meta, 'input') : null;
  return type && unknown && unknown.paths.length > 0 ? [{ name: field.name, field, type, ...unknown }] : [];
});

test.each(mutations)('$name rejects unknown reference data', async ({ name, field, type, input, paths }) => {
  const id = field.args.some((argument) => argument.name === 'id') ? 'id: "99", ' : '';
  const text = `mutation ($input: ${type}) { ${name}(${id}input: $input) { __typename } }`;
  const tokens = ['updateProfile', 'scheduleGame'].includes(name) ? person : app.platform;
  const { body } = await app.rest('POST', '/graphql', tokens, { query: text, variables: { input } });
  const problems: { field: string }[] = body.errors?.[0].extensions.problems ?? [];
  expect(problems.map((problem) => problem.field)).toEqual(expect.arrayContaining(paths));
});

const save = async (input: object) => {
  const { errors, upsertTournament } = await app.graphql(
    `mutation ($input: TournamentInput!) { upsertTournament(input: $input) {
      currency { abbreviation } timeZone { ianaName } tierLevelId location { state { title } } approvals { governingBodyId } } }`,
    { input },
  );
  return errors ?? upsertTournament;
};

describe('a tournament', () => {
  test('with unknown reference data is rejected with all its problems', async () => {
    expect(
      await save({
        clubId: 'unknown clubs are accepted',
        detailsUrl: 'x'.repeat(10_001),
        currency: 'USDollar',
        timeZone: 'Central Time',
        tierLevelId: 'no-tier',
        location: { country: 'USA', state: 'New South Wales' },
        approvals: [{ governingBodyId: '1' }, { governingBodyId: 'no-body' }],
      }),
    ).toEqual([
      'BAD_INPUT: ' +
        [
          'input.detailsUrl: expected at most 10000 characters',
          'input.location.state: expected the title or the code of a state in `country`',
          'input.timeZone: expected the IANA name of a time zone, such as America/Chicago',
          'input.currency: expected the ISO 4217 code of a currency, such as USD',
          'input.tierLevelId: expected the id of a tier level',
          'input.approvals[1].governingBodyId: expected the id of a governing body',
        ].join('; '),
    ]);
  });

  test('accepts names in any letter case, and treats empty text and null as no value', async () => {
    const unsetValues = { currency: null, timeZone: null, tierLevelId: null, location: { state: null }, approvals: [] };
    expect({
      names: await save({ currency: 'cad', timeZone: 'america/chicago', location: { country: 'us', state: 'tx' } }),
      empty: await save({ currency: '', timeZone: '', location: { country: '', state: '' }, tierLevelId: null }),
    }).toMatchObject({
      names: {
        currency: { abbreviation: 'CAD' },
        timeZone: { ianaName: 'America/Chicago' },
        location: { state: { title: 'Texas' } },
      },
      empty: unsetValues,
    });
  });

  test('keeps unknown values that /v1 stored, and accepts others in `legacy`', async () => {
    await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, {
      payload: {
        TournamentID: 'imported',
        tier_level_uuid: 'old-tier',
        PaymentCurrencyAbbreviation: 'XYZ',
        GoverningBodies: [{ id: 'old-body' }],
      },
    });
    const approvals = [{ governingBodyId: 'old-body' }];
    expect({
      unchanged: await save({ id: 'imported', tierLevelId: 'old-tier', currency: 'XYZ', approvals }),
      changed: await save({ id: 'imported', tierLevelId: 'older-tier' }),
      inLegacy: await save({ id: 'imported', legacy: { tierLevelId: 'older-tier' } }),
    }).toMatchObject({
      unchanged: { tierLevelId: 'old-tier', currency: null, approvals },
      changed: ['BAD_INPUT: input.tierLevelId: expected the id of a tier level'],
      inLegacy: { tierLevelId: 'older-tier' },
    });
  });
});

test('a state is looked up in the country of the location', async () => {
  const locate = async (id: string, location: object) => {
    const answer = await save({ id, location });
    return answer.location?.state?.title ?? answer;
  };
  expect({
    inCountry: await locate('placed', { country: 'AU', state: 'WA' }),
    inStoredCountry: await locate('placed', { state: 'NSW' }),
    ambiguous: await locate('fresh', { country: null, state: 'WA' }),
  }).toEqual({
    inCountry: 'Western Australia',
    inStoredCountry: 'New South Wales',
    ambiguous: ['BAD_INPUT: input.location.state: expected the title or the code of a state in `country`'],
  });
});

test('a registration with an unknown country is rejected, whether or not the address has an account', async () => {
  const { email } = (await app.graphql('{ viewer { email } }', {}, person)).viewer;
  const register = async (address: string) =>
    (
      await app.graphql(
        `mutation ($email: String!) { register(input: { email: $email, password: "correct horse", countryId: "x" }) { isMailSent } }`,
        { email: address },
      )
    ).errors;
  const expected = ['BAD_INPUT: input.countryId: expected the id of a country'];
  expect({ existingUser: await register(email), newUser: await register('new@example.com') }).toEqual({
    existingUser: expected,
    newUser: expected,
  });
});
