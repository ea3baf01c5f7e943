import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

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

/** What a record has, by its kind as platforms send it. */
const rows: [id: string, kind: string | null, moduleId: string | null, title: string | null][] = [
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
      ([id, kind, module]) =>
        `${id}: upsert${name}(input: { id: "${id}", moduleTypeRaw: ${JSON.stringify(kind)}, moduleId: ${JSON.stringify(module)} }) { id }`,
    );
    await app.graphql(`mutation { ${upserts.join('\n')} }`);
  });

  test('leads to what it is for, of the kind that it states', async () => {
    const query = `{ found: ${many}(orderBy: [{ field: ID }]) { nodes { id module { ${title} } } } }`;
    const { found } = await app.graphql(query);
    expect(found.nodes).toEqual(rows.map(([id, , , name]) => ({ id, module: name === null ? null : { title: name } })));
  });

  test('is found by what it is for, and listed there', async () => {
    const found = async (filter: string) => {
      const answer = await app.graphql(
        `{ found: ${many}(filter: { module: ${filter} }, orderBy: [{ field: ID }]) { nodes { id } } }`,
      );
      return answer.found.nodes.map(({ id }: { id: string }) => id);
    };
    const { league } = await app.graphql(`{ league(id: "l") { ${many}(orderBy: [{ field: ID }]) { nodes { id } } } }`);
    expect([
      await found('{ tournament: { title: { contains: "open" } } }'),
      await found('{ league: {} }'),
      await found('{ club: { title: { startsWith: "club" } } }'),
      await found('{ league: {}, club: {} }'),
      league[many].nodes.map(({ id }: { id: string }) => id),
    ]).toEqual([['both', 'tournament'], ['camp', 'league'], ['any', 'both', 'club'], [], ['camp', 'league']]);
  });
});

test('all that a page is for is read in one statement a kind', async () => {
  const of = (first: number) =>
    statementsOf(app, () =>
      app.graphql(`{ invoices(first: ${first}, orderBy: [{ field: ID }]) { nodes { module { ${title} } } } }`),
    );
  expect([await of(1), await of(10)]).toEqual([4, 4]);
});

test('what is asked of it counts as other relations do, and so do its steps', async () => {
  const deep = (filter: string) => app.graphql(`{ invoices(filter: ${filter}) { totalCount } }`);
  const many = Array.from({ length: 19 }, () => '{ module: { league: {} } }').join();
  expect([
    (await deep('{ module: { tournament: { events: { some: { teams: { some: { event: {} } } } } } } }')).errors,
    (await deep(`{ or: [${many}] }`)).errors,
    (await deep('{ module: { tournament: { startsAt: { gte: "soon" } } } }')).errors,
  ]).toEqual([
    [expect.stringContaining('filter.module.tournament.events.some.teams.some.event: expected at most 3 steps')],
    [expect.stringContaining('filter: expected at most 200 conditions')],
    [expect.stringContaining('filter.module.tournament.startsAt.gte')],
  ]);
});
