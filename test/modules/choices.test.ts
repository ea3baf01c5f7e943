import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

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
const entry = (payload: object) => app.rest('POST', '/v1/tournament_attendee_event_records/upsert', app.platform, { payload });

describe('an enumeration over what platforms send', () => {
  test('reads as its value, in any case of letters, as OTHER or null, with what was sent beside it', async () => {
    const sent = ['Tournaments', 'clubs', 'Camps', '', null];
    const seen = [];
    for (const [index, moduleTypeRaw] of sent.entries()) {
      const { upsertInvoice } = await save('Invoice', { id: `kind-${index}`, moduleTypeRaw }, 'moduleType moduleTypeRaw');
      seen.push(Object.values(upsertInvoice));
    }
    expect(seen).toEqual([
      ['TOURNAMENT', 'Tournaments'],
      ['CLUB', 'clubs'],
      ['OTHER', 'Camps'],
      [null, ''],
      [null, null],
    ]);
    const by = (filter: string) =>
      ids('invoices', `and: [{ id: { in: ["kind-0", "kind-1", "kind-2", "kind-3", "kind-4"] } }, { ${filter} }]`, 'ID');
    expect([
      await by('moduleType: { eq: CLUB }'),
      await by('moduleType: { in: [TOURNAMENT, OTHER] }'),
      await by('moduleType: { ne: TOURNAMENT }'),
      await by('moduleType: { isNull: true }'),
      await by('moduleTypeRaw: { contains: "camp" }'),
    ]).toEqual([['kind-1'], ['kind-0', 'kind-2'], ['kind-1', 'kind-2', 'kind-3', 'kind-4'], ['kind-3', 'kind-4'], ['kind-2']]);
  });

  test('is written by its value as platforms know it, and /v1 has that', async () => {
    await save('EventRegistration', { id: 'entry', status: 'WAITLISTED' });
    const { body } = await entry({ tournament_attendee_event_uuid: 'entry-2', status: 71.5 });
    const { body: first } = await entry({ tournament_attendee_event_uuid: 'entry', status: 2 });
    const { eventRegistration } = await app.graphql('{ eventRegistration(id: "entry-2") { status statusRaw } }');
    expect([first.result.status, body.result.status, eventRegistration]).toEqual([2, 71.5, { status: 'OTHER', statusRaw: 71.5 }]);
    expect(await ids('eventRegistrations', 'status: { eq: WAITLISTED }')).toEqual(['entry']);
  });

  test.each([
    [{ status: 'OTHER' }, 'input.status: expected one of REGISTERED, WAITLISTED, WITHDRAWN, INVITED'],
    [{ status: 'REGISTERED', statusRaw: 1 }, 'input.statusRaw: expected nothing beside status'],
  ])('refuses %o and changes nothing', async (input, message) => {
    expect([
      await save('EventRegistration', { id: 'none', ...input }),
      await app.graphql('{ eventRegistration(id: "none") { id } }'),
    ]).toEqual([{ errors: [`BAD_INPUT: ${message}`] }, { eventRegistration: null }]);
  });

  test('is refused with the values that may be written, and in filters with all', async () => {
    const expected = 'expected one of REGISTERED, WAITLISTED, WITHDRAWN, INVITED';
    const entries = 'eventRegistrations(filter: { status: { eq: LATE } }) { totalCount }';
    const variable = (name: string, type: string) =>
      app.graphql(`query ($x: ${type}) { x: ${name} { totalCount } }`, { x: 'LATE' });
    expect([
      await save('EventRegistration', { id: 'none', status: 'LATE' }),
      await app.graphql('mutation { upsertEventRegistration(input: { status: LATE }) { id } }'),
      await app.graphql(`{ ${entries} }`),
      await variable('eventRegistrations(filter: { status: { eq: $x } })', 'EventRegistrationStatus'),
    ]).toEqual([
      { errors: [`BAD_INPUT: input.status: ${expected}`] },
      { errors: [`BAD_INPUT: input.status: ${expected}`] },
      { errors: [`BAD_INPUT: filter.status.eq: ${expected}, OTHER`] },
      { errors: [`BAD_INPUT: filter.status.eq: ${expected}, OTHER`] },
    ]);
  });

  test('in a list of values and in a group is one, too', async () => {
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
    const { tournament } = await app.graphql('{ tournament(id: "listed") { approvals { status statusRaw } } }');
    expect(tournament.approvals).toEqual([
      { status: 'OTHER', statusRaw: 'Soon' },
      { status: 'APPROVED', statusRaw: 'approved' },
    ]);
    const fields = 'payer { addressStatus addressStatusRaw }';
    const { upsertProviderResponse } = await save(
      'ProviderResponse',
      { id: 'grouped', payer: { addressStatus: 'CONFIRMED' } },
      fields,
    );
    expect(upsertProviderResponse.payer).toEqual({ addressStatus: 'CONFIRMED', addressStatusRaw: 'confirmed' });
  });
});
