import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const send = async (service: TestApp, query: string, variables: object = {}, tokens: object = service.platform) => {
  const { body } = await service.rest('POST', '/graphql', tokens, { query, variables });
  const [{ message, extensions }] = body.errors;
  return { message, problems: extensions.problems };
};

describe('a missing variable', () => {
  test('inside an input is reported as that variable', async () => {
    const query = 'mutation ($event: ID!) { registerTeam(input: { eventId: $event }) { id } }';
    expect(await send(app, query)).toEqual({
      message: '$event: expected a value',
      problems: [{ field: '$event', expected: 'a value' }],
    });
  });

  test('inside a list is reported as that variable, together with other missing variables', async () => {
    const query =
      'query ($id: ID!, $phase: TournamentPhase!) { tournament(id: $id) { id } tournaments(filter: { phase: { in: [$phase] } }) { totalCount } }';
    expect((await send(app, query)).problems).toEqual([
      { field: 'id', expected: 'a value' },
      { field: '$phase', expected: 'a value' },
    ]);
  });
});

describe('an unknown input field', () => {
  const inVariable = 'mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }';
  const inLiteral = 'mutation { createTournament(input: { timezone: "UTC" }) { id } }';
  const problem = { field: 'input.timezone', expected: 'a field of TournamentInput' };

  test('suggests fields with similar names in development', async () => {
    const suggested = {
      message: expect.stringMatching(/^input\.timezone: expected a field of TournamentInput \(did you mean .*"timeZone"/),
      problems: [{ ...problem, suggestions: expect.arrayContaining(['timeZone']) }],
    };
    expect({
      variable: await send(app, inVariable, { input: { timezone: 'UTC' } }),
      literal: await send(app, inLiteral),
    }).toEqual({ variable: suggested, literal: suggested });
  });

  test.each([
    ['a field of the legacy object', 'localDayRaw', 'legacy.localDay'],
    ['a field with a word in common', 'timeZoneOffset', 'utcOffset'],
  ])('suggests %s', async (_, field, suggestion) => {
    const query = `mutation { scheduleGame(input: { ${field}: "1" }) { id } }`;
    const variable = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
    const suggested = [
      { field: `input.${field}`, expected: 'a field of GameInput', suggestions: expect.arrayContaining([suggestion]) },
    ];
    expect({
      literal: (await send(app, query)).problems,
      variable: (await send(app, variable, { input: { [field]: '1' } })).problems,
    }).toEqual({ literal: suggested, variable: suggested });
  });

  test.each([
    ['localDays', ['day', 'localStartsAt', 'legacy.localDay']],
    ['localDayRaw', ['day', 'localEndsAt', 'legacy.localDay']],
    ['localDate', ['localEndsAt', 'localStartsAt', 'legacy.localDay']],
  ])('suggests at most one path in `legacy` for %s, after the fields of the input itself', async (field, suggestions) => {
    const { problems } = await send(app, `mutation { scheduleGame(input: { ${field}: "1" }) { id } }`);
    expect(problems[0].suggestions).toEqual(suggestions);
  });

  test('of more than 100 characters gets no suggestions', async () => {
    const field = 'title'.repeat(21);
    expect((await send(app, inVariable, { input: { [field]: 'Open' } })).problems).toEqual([
      { field: `input.${field}`, expected: 'a field of TournamentInput' },
    ]);
  });
});

describe('in production, callers without a token learn only names that they sent', () => {
  let production: Awaited<ReturnType<typeof secondProcess>>;
  beforeAll(async () => {
    production = await secondProcess(app, undefined, undefined, { NODE_ENV: 'production', DATABASE_URL: app.databaseUrl });
  });
  afterAll(() => production.close());

  const post = async (query: string, variables: object, headers = {}) => {
    const response = await fetch(`${production.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const [{ message, extensions }, ...others] = (await response.json()).errors;
    return { message, extensions, others };
  };
  const reject = (field: string, expected: string) => ({
    message: `${field}: expected ${expected}`,
    extensions: { code: 'BAD_INPUT', field, expected, problems: [{ field, expected }] },
    others: [],
  });
  const unknownField = reject('input.timezone', 'a known field');
  const unknownValue = reject('orderBy[0].field', 'a known value');
  const unknownPhase = reject('filter.phase.in[0]', 'a known value');
  const missingField = reject('input', 'all required fields');
  const missingArgument = {
    message: 'A required argument of "tournament" is missing.',
    extensions: { code: 'BAD_INPUT' },
    others: [],
  };
  const missingSelection = {
    message: 'Field "tournaments" must have a selection of subfields.',
    extensions: { code: 'BAD_INPUT' },
    others: [],
  };
  const create = 'mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }';
  const login = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';
  const order = 'query ($field: TournamentOrderField!) { tournaments(orderBy: [{ field: $field }]) { totalCount } }';
  const phase = 'query ($filter: TournamentFilter!) { tournaments(filter: $filter) { totalCount } }';

  test.each<[string, string, object, object]>([
    ['a field in a literal', 'mutation { createTournament(input: { timezone: "UTC" }) { id } }', {}, unknownField],
    ['a field in a variable', create, { input: { timezone: 'UTC' } }, unknownField],
    ['a field next to a long text', create, { input: { timezone: 'UTC', title: 'x'.repeat(501) } }, unknownField],
    ['an enum value in a literal', '{ tournaments(orderBy: [{ field: STARTS_ON }]) { totalCount } }', {}, unknownValue],
    ['an enum value in a variable', order, { field: 'STARTS_ON' }, unknownValue],
    ['an enum value of another type', order, { field: 1 }, unknownValue],
    ['an enum value in a literal list', '{ tournaments(filter: { phase: { in: [A] } }) { totalCount } }', {}, unknownPhase],
    ['an enum value in a filter', phase, { filter: { phase: { in: ['A'] } } }, unknownPhase],
    ['a required field in a literal', 'mutation { login(input: {}) { token } }', {}, missingField],
    ['a required field in a variable', login, { input: {} }, missingField],
    ['a required argument', '{ tournament { id } }', {}, missingArgument],
    ['a field without a selection', '{ tournaments }', {}, missingSelection],
  ])('about %s', async (_, query, variables, error) => {
    expect(await post(query, variables)).toEqual(error);
  });

  const invalidDocuments: Record<string, [query: string, message: string]> = {
    'an unknown field': ['{ viewer { nothing } }', 'Cannot query field "nothing".'],
    'an unknown argument': ['{ tournaments(nothing: 1) { totalCount } }', 'Unknown argument "nothing" on field "tournaments".'],
    'a selection of a scalar': [
      '{ tournaments { totalCount { id } } }',
      'Field "totalCount" must not have a selection of subfields.',
    ],
    'a variable of another type': [
      'query ($id: Boolean) { tournament(id: $id) { id } }',
      'Variable "$id" is used in a position that expects another type.',
    ],
    'a fragment on another type': ['{ tournaments { ... on Tournament { id } } }', 'Fragment cannot be spread here.'],
    'conflicting fields': [
      '{ node(id: "1") { ... on Tournament { a: id } ... on League { a: title } } }',
      'Fields "a" conflict because they return conflicting types. Use different aliases on the fields to fetch both if this was intentional.',
    ],
    'a required argument of a directive': ['{ viewer @include { id } }', 'A required argument of "include" is missing.'],
  };
  test.each(Object.entries(invalidDocuments))('about %s in the document', async (_, [query, message]) => {
    expect(await post(query, {})).toMatchObject({ message, others: [] });
  });

  test('over all transports', async () => {
    const url = `${production.origin}/graphql?query=${encodeURIComponent('{ viewer { nothing } }')}`;
    const get = await (await fetch(url, { headers: { 'apollo-require-preflight': '1' } })).text();
    const response = await fetch(`${production.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { tournament(id: "cup") { nothing } }' }),
    });
    const unnamed = expect.stringContaining('Cannot query field \\"nothing\\"."');
    expect({ get, events: await response.text() }).toEqual({ get: unnamed, events: unnamed });
  });

  test('other callers learn the names that are expected', async () => {
    const { user } = await app.person();
    const send = async (query: string, variables = {}) => (await post(query, variables, { 'PB-USER-TOKEN': user })).message;
    expect({
      value: await send(phase, { filter: { phase: { in: ['A'] } } }),
      field: await send(login, { input: {} }),
      argument: await send('{ tournament { id } }'),
    }).toEqual({
      value: expect.stringContaining('expected one of '),
      field: 'input.email: expected a value; input.password: expected a value',
      argument: expect.stringContaining('argument "id"'),
    });
  });
});

describe('an unknown enum value', () => {
  const order = 'query ($field: TournamentOrderField!) { tournaments(orderBy: [{ field: $field }]) { totalCount } }';
  const phase = 'query ($filter: TournamentFilter!) { tournaments(filter: $filter) { totalCount } }';
  const suggestionsOf = async (query: string, variables?: object) => {
    const [{ field, suggestions }] = (await send(app, query, variables)).problems;
    return { field, suggestions };
  };

  test('suggests similar values for variables in development', async () => {
    expect({
      variable: await suggestionsOf(order, { field: 'STARTS_ON' }),
      insideVariable: await suggestionsOf(phase, { filter: { phase: { in: ['PLAYED'] } } }),
    }).toEqual({
      variable: { field: 'orderBy[0].field', suggestions: expect.arrayContaining(['STARTS_AT']) },
      insideVariable: { field: 'filter.phase.in[0]', suggestions: expect.arrayContaining(['PLAYING']) },
    });
  });

  test('suggests similar values for literals, including values in another letter case or in quotes', async () => {
    const query = (field: string) => `{ tournaments(orderBy: [{ field: ${field} }]) { totalCount } }`;
    const suggested = { field: 'orderBy[0].field', suggestions: expect.arrayContaining(['STARTS_AT']) };
    expect({
      misspelled: await suggestionsOf(query('STARTS_ON')),
      lowerCase: await suggestionsOf(query('starts_at')),
      quoted: await suggestionsOf(query('"STARTS_AT"')),
    }).toEqual({ misspelled: suggested, lowerCase: suggested, quoted: suggested });
  });
});
