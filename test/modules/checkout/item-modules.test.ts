import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.graphql(`mutation {
    a: upsertTournament(input: { id: "t", title: "Open" }) { id }
    b: createLeague(input: { id: "l", title: "Ladder" }) { id }
    c: upsertClub(input: { id: "c", title: "Club" }) { id }
    d: upsertClub(input: { id: "t", title: "Club with the id of a tournament" }) { id }
  }`);
});
afterAll(() => app.close());

const records = {
  DiscountCode: 'discountCodes',
  Invoice: 'invoices',
  MerchantLink: 'merchantLinks',
  PaymentSetup: 'paymentSetups',
  ProviderRequest: 'providerRequests',
  SanctionSetup: 'sanctionSetups',
};
const title = '... on Tournament { title } ... on League { title } ... on Club { title }';

/** Invoice items with module types as platforms send them, and the title of the module that each item resolves to. */
const rows: [id: string, moduleType: string | null, moduleId: string | null, title: string | null][] = [
  ['any', null, 'c', 'Club'],
  ['both', '', 't', 'Open'],
  ['camp', 'Camps', 'l', 'Ladder'],
  ['clinic', 'Clinics', 't', null],
  ['club', 'clubs', 't', 'Club with the id of a tournament'],
  ['gone', 'Tournaments', 'x', null],
  ['league', 'Leagues', 'l', 'Ladder'],
  ['none', 'Tournaments', null, null],
  ['tournament', 'Tournament', 't', 'Open'],
  ['wrong', 'Leagues', 't', null],
];

describe.each(Object.entries(records))('%s', (name, many) => {
  beforeAll(async () => {
    const upserts = rows.map(
      ([id, moduleType, moduleId]) =>
        `${id}: upsert${name}(input: {
          id: "${id}", legacy: { moduleType: ${JSON.stringify(moduleType)} }, moduleId: ${JSON.stringify(moduleId)}
        }) { id }`,
    );
    await app.graphql(`mutation { ${upserts.join('\n')} }`);
  });

  test('resolves its module by the module type', async () => {
    const query = `{ records: ${many}(orderBy: [{ field: ID }]) { nodes { id module { ${title} } } } }`;
    const { records } = await app.graphql(query);
    expect(records.nodes).toEqual(rows.map(([id, , , name]) => ({ id, module: name === null ? null : { title: name } })));
  });

  test('is filtered by its module', async () => {
    const idsWithModule = async (filter: string) => {
      const { records } = await app.graphql(
        `{ records: ${many}(filter: { module: ${filter} }, orderBy: [{ field: ID }]) { nodes { id } } }`,
      );
      return records.nodes.map(({ id }: { id: string }) => id);
    };
    expect({
      tournament: await idsWithModule('{ tournament: { title: { contains: "open" } } }'),
      league: await idsWithModule('{ league: {} }'),
      club: await idsWithModule('{ club: { title: { startsWith: "club" } } }'),
      leagueAndClub: await idsWithModule('{ league: {}, club: {} }'),
    }).toEqual({
      tournament: ['both', 'tournament'],
      league: ['camp', 'league'],
      club: ['any', 'both', 'club'],
      leagueAndClub: [],
    });
  });

  test('is listed by its module', async () => {
    const { league } = await app.graphql(`{ league(id: "l") { ${many}(orderBy: [{ field: ID }]) { nodes { id } } } }`);
    expect(league[many].nodes).toEqual([{ id: 'camp' }, { id: 'league' }]);
  });
});

test('modules of a page take one statement for each kind', async () => {
  const statements = (first: number) =>
    statementsOf(app, () =>
      app.graphql(`{ invoices(first: ${first}, orderBy: [{ field: ID }]) { nodes { module { ${title} } } } }`),
    );
  expect({ oneInvoice: await statements(1), tenInvoices: await statements(10) }).toEqual({ oneInvoice: 4, tenInvoices: 4 });
});

test('a filter on the module obeys the limits of relation filters and reports problems with their path', async () => {
  const errorsOf = async (filter: string) => (await app.graphql(`{ invoices(filter: ${filter}) { totalCount } }`)).errors;
  const nineteenFilters = Array.from({ length: 19 }, () => '{ module: { league: {} } }').join();
  expect({
    fourRelations: await errorsOf('{ module: { tournament: { events: { some: { teams: { some: { event: {} } } } } } } }'),
    manyConditions: await errorsOf(`{ or: [${nineteenFilters}] }`),
    wrongValue: await errorsOf('{ module: { tournament: { startsAt: { gte: "soon" } } } }'),
  }).toEqual({
    fourRelations: [
      expect.stringContaining('filter.module.tournament.events.some.teams.some.event: expected at most 3 nested relations'),
    ],
    manyConditions: [expect.stringContaining('filter: expected at most 200 conditions')],
    wrongValue: [expect.stringContaining('filter.module.tournament.startsAt.gte')],
  });
});
