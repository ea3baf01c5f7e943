import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const save = (type: string, input: object, fields = 'id') =>
  app.graphql(`mutation ($input: ${type}Input!) { upsert${type}(input: $input) { ${fields} } }`, { input });
const ids = async (list: string, filter: string, order = '') => {
  const answer = await app.graphql(
    `{ ${list}(filter: {${filter}}${order && `, orderBy: [{ field: ${order} }]`}) { nodes { id } } }`,
  );
  return answer[list]?.nodes.map(({ id }: { id: string }) => id) ?? answer;
};
const upsertEntry = (payload: object) =>
  app.rest('POST', '/v1/tournament_attendee_event_records/upsert', app.platform, { payload });

describe('an enumeration of values that platforms send', () => {
  describe('in GraphQL', () => {
    const invoices = [
      { id: 'kind-0', legacy: { moduleType: 'Tournaments' }, moduleType: 'TOURNAMENT' },
      { id: 'kind-1', legacy: { moduleType: 'clubs' }, moduleType: 'CLUB' },
      { id: 'kind-2', legacy: { moduleType: 'Camps' }, moduleType: 'OTHER' },
      { id: 'kind-3', legacy: { moduleType: '' }, moduleType: null },
      { id: 'kind-4', legacy: { moduleType: null }, moduleType: null },
    ];
    const saved = new Map<string, unknown>();
    beforeAll(async () => {
      for (const { id, legacy } of invoices) {
        const { upsertInvoice } = await save('Invoice', { id, legacy }, 'moduleType legacy { moduleType }');
        saved.set(id, upsertInvoice);
      }
    });

    test.each(invoices)('reads $legacy.moduleType as $moduleType', ({ id, ...values }) => {
      expect(saved.get(id)).toEqual(values);
    });

    test.each([
      ['moduleType: { eq: CLUB }', ['kind-1']],
      ['moduleType: { in: [TOURNAMENT, OTHER] }', ['kind-0', 'kind-2']],
      ['moduleType: { ne: TOURNAMENT }', ['kind-1', 'kind-2', 'kind-3', 'kind-4']],
      ['moduleType: { isNull: true }', ['kind-3', 'kind-4']],
      ['legacy: { moduleType: { contains: "camp" } }', ['kind-2']],
    ])('is filtered by %s', async (filter, matches) => {
      const all = 'id: { in: ["kind-0", "kind-1", "kind-2", "kind-3", "kind-4"] }';
      expect(await ids('invoices', `and: [{ ${all} }, { ${filter} }]`, 'ID')).toEqual(matches);
    });
  });

  test('is stored as the value that platforms send, which /v1 reads and writes', async () => {
    await save('EventRegistration', { id: 'entry', status: 'WAITLISTED' });
    const { body: other } = await upsertEntry({ tournament_attendee_event_uuid: 'entry-2', status: 71.5 });
    const { body: waitlisted } = await upsertEntry({ tournament_attendee_event_uuid: 'entry', status: 2 });
    const { eventRegistration } = await app.graphql('{ eventRegistration(id: "entry-2") { status legacy { status } } }');
    expect({ waitlisted: waitlisted.result.status, other: other.result.status, eventRegistration }).toEqual({
      waitlisted: 2,
      other: 71.5,
      eventRegistration: { status: 'OTHER', legacy: { status: 71.5 } },
    });
    expect(await ids('eventRegistrations', 'status: { eq: WAITLISTED }')).toEqual(['entry']);
  });

  test.each([
    [{ status: 'OTHER' }, 'input.status: expected one of REGISTERED, WAITLISTED, WITHDRAWN, INVITED'],
    [{ status: 'REGISTERED', legacy: { status: 1 } }, 'input.legacy.status: expected no value together with input.status'],
  ])('rejects %o and changes nothing', async (input, message) => {
    expect({
      answer: await save('EventRegistration', { id: 'none', ...input }),
      afterwards: await app.graphql('{ eventRegistration(id: "none") { id } }'),
    }).toEqual({ answer: { errors: [`BAD_INPUT: ${message}`] }, afterwards: { eventRegistration: null } });
  });

  test('rejects an unknown value with the allowed ones, which in filters include OTHER', async () => {
    const allowed = 'expected one of REGISTERED, WAITLISTED, WITHDRAWN, INVITED';
    const query = 'query ($x: EventRegistrationStatus) { eventRegistrations(filter: { status: { eq: $x } }) { totalCount } }';
    expect({
      inputVariable: await save('EventRegistration', { id: 'none', status: 'LATE' }),
      inputLiteral: await app.graphql('mutation { upsertEventRegistration(input: { status: LATE }) { id } }'),
      filterLiteral: await app.graphql('{ eventRegistrations(filter: { status: { eq: LATE } }) { totalCount } }'),
      filterVariable: await app.graphql(query, { x: 'LATE' }),
    }).toEqual({
      inputVariable: { errors: [`BAD_INPUT: input.status: ${allowed}`] },
      inputLiteral: { errors: [`BAD_INPUT: input.status: ${allowed}`] },
      filterLiteral: { errors: [`BAD_INPUT: filter.status.eq: ${allowed}, OTHER`] },
      filterVariable: { errors: [`BAD_INPUT: filter.status.eq: ${allowed}, OTHER`] },
    });
  });

  test('is read in a list of objects', async () => {
    const { body } = await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, {
      payload: {
        TournamentID: 'listed',
        GoverningBodies: [
          { id: '1', approvedStatus: 'Soon' },
          { id: '2', approvedStatus: 'approved' },
        ],
      },
    });
    expect(body.result.GoverningBodies.map(({ approvedStatus }: { approvedStatus: string }) => approvedStatus)).toEqual([
      'Soon',
      'approved',
    ]);
    const { tournament } = await app.graphql('{ tournament(id: "listed") { approvals { status legacy { status } } } }');
    expect(tournament.approvals).toEqual([
      { status: 'OTHER', legacy: { status: 'Soon' } },
      { status: 'APPROVED', legacy: { status: 'approved' } },
    ]);
  });

  test('is written in a nested object', async () => {
    const { upsertProviderResponse } = await save(
      'ProviderResponse',
      { id: 'grouped', payer: { addressStatus: 'CONFIRMED' } },
      'payer { addressStatus legacy { addressStatus } }',
    );
    expect(upsertProviderResponse.payer).toEqual({ addressStatus: 'CONFIRMED', legacy: { addressStatus: 'confirmed' } });
  });
});
