import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';
import { at, tournamentsOf } from '../support/tournaments.js';

let app: TestApp;
const { save } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('relations', () => {
  const create = (type: string, input: object) =>
    app.graphql(
      `mutation ($input: ${type}Input!) { upsert${type === 'TournamentEvent' ? 'Event' : type}(input: $input) { id } }`,
      { input },
    );

  beforeAll(async () => {
    await app.sql.rows(`insert into club (id, title) values ('club', 'Club')`);
    for (const name of ['Ana', 'Ben', 'Cho']) {
      await app.sql.rows('insert into app_user (id, first_name, last_name) values ($1, $2, $3)', [name, name, name]);
    }
    for (const t of ['t1', 't2', 't3']) {
      await save({ id: t, clubId: 'club', platformRaw: 'relations', startsAt: at(Number(t[1])) });
      await create('TournamentEvent', { id: `${t}-e`, tournamentId: t, title: 'Mixed Doubles 4.0', formatId: '5' });
      await create('Team', {
        id: `${t}-ab`,
        tournamentId: t,
        eventId: `${t}-e`,
        playerOneId: 'Ana',
        playerTwoId: 'Ben',
        seed: 1,
      });
      await create('Team', {
        id: `${t}-ca`,
        tournamentId: t,
        eventId: `${t}-e`,
        playerOneId: 'Cho',
        playerTwoId: 'Ana',
        seed: 2,
      });
      await create('TournamentReferee', { tournamentId: t, userId: 'Ben' });
      await create('Registration', { id: `${t}-r`, tournamentId: t, userId: 'Ana' });
      await create('EventRegistration', {
        id: `${t}-er`,
        registrationId: `${t}-r`,
        eventId: `${t}-e`,
        teamId: `${t}-ab`,
        userId: 'Ana',
        partnerId: 'Ben',
      });
      await create('FinalStanding', { eventId: `${t}-e`, teamId: `${t}-ab`, finalRanking: 1 });
      await create('FinalStanding', { eventId: `${t}-e`, teamId: `${t}-ca`, finalRanking: 2 });
    }
  });

  const everything = `query ($first: Int) {
    tournaments(first: $first, filter: { platformRaw: { eq: "relations" } }) {
      nodes {
        club { title tournaments(first: 1) { totalCount nodes { id } } }
        events { nodes { title format { title } registrations { nodes { user { firstName } partner { firstName } } } standings { nodes { finalRanking } } } }
        teams(orderBy: [{ field: SEED }]) {
          totalCount
          nodes { seed playerOne { firstName } playerTwo { firstName } event { title } standings { nodes { finalRanking } } registrations { nodes { id } } }
        }
        players(orderBy: [{ field: FIRST_NAME }]) { totalCount nodes { firstName teams(first: 1) { totalCount } } }
        referees { nodes { user { firstName refereeAssignments { totalCount } } } }
        registrations { nodes { user { firstName registrations { totalCount } } events { nodes { team { seed } } } } }
        standings { totalCount nodes { finalRanking team { seed } event { tournament { id } } } }
      }
    }
  }`;

  test('lead from a tournament to all that belongs to it, and back', async () => {
    const { tournaments } = await app.graphql(everything, { first: 1 });
    expect(tournaments.nodes[0]).toEqual({
      club: { title: 'Club', tournaments: { totalCount: 3, nodes: [{ id: 't1' }] } },
      events: {
        nodes: [
          {
            title: 'Mixed Doubles 4.0',
            format: { title: 'Mixed Doubles' },
            registrations: { nodes: [{ user: { firstName: 'Ana' }, partner: { firstName: 'Ben' } }] },
            standings: { nodes: [{ finalRanking: 1 }, { finalRanking: 2 }] },
          },
        ],
      },
      teams: {
        totalCount: 2,
        nodes: [
          {
            seed: 1,
            playerOne: { firstName: 'Ana' },
            playerTwo: { firstName: 'Ben' },
            event: { title: 'Mixed Doubles 4.0' },
            standings: { nodes: [{ finalRanking: 1 }] },
            registrations: { nodes: [{ id: 't1-er' }] },
          },
          {
            seed: 2,
            playerOne: { firstName: 'Cho' },
            playerTwo: { firstName: 'Ana' },
            event: { title: 'Mixed Doubles 4.0' },
            standings: { nodes: [{ finalRanking: 2 }] },
            registrations: { nodes: [] },
          },
        ],
      },
      players: {
        totalCount: 3,
        nodes: [
          { firstName: 'Ana', teams: { totalCount: 6 } },
          { firstName: 'Ben', teams: { totalCount: 3 } },
          { firstName: 'Cho', teams: { totalCount: 3 } },
        ],
      },
      referees: { nodes: [{ user: { firstName: 'Ben', refereeAssignments: { totalCount: 3 } } }] },
      registrations: {
        nodes: [{ user: { firstName: 'Ana', registrations: { totalCount: 3 } }, events: { nodes: [{ team: { seed: 1 } }] } }],
      },
      standings: {
        totalCount: 2,
        nodes: [
          { finalRanking: 1, team: { seed: 1 }, event: { tournament: { id: 't1' } } },
          { finalRanking: 2, team: { seed: 2 }, event: { tournament: { id: 't1' } } },
        ],
      },
    });
  });

  const taken = (first: number) => statementsOf(app, () => app.graphql(everything, { first }));
  test('take as many statements for three tournaments as for one', async () => {
    expect(await taken(3)).toBe(await taken(1));
  });

  test('lists that are read at one time read the rows to which they refer in one statement', async () => {
    const players = 'teams { nodes { playerOne { id } playerTwo { id } } }';
    const query = `{ tournaments { nodes { ${players} referees { nodes { user { id } } } registrations { nodes { user { id } } } } } }`;
    const answer = await app.graphql(query);
    expect(answer.tournaments).toMatchObject({
      nodes: [
        {
          teams: { nodes: [{ playerOne: { id: 'Cho' }, playerTwo: { id: 'Ana' } }, {}] },
          referees: { nodes: [{ user: { id: 'Ben' } }] },
        },
        {},
        {},
      ],
    });
    // Tournaments, teams, referees, registrations, users.
    expect(await statementsOf(app, () => app.graphql(query))).toBe(5);
  });

  test('the total of all rows comes with a page of them, whichever page that is, and without one', async () => {
    const { total } = (await app.sql.row('select count(*)::int as total from team')) ?? {};
    const asked = (args: string, more = 'nodes { id }') => app.graphql(`{ teams(${args}) { totalCount ${more} } }`);
    for (const args of [
      'first: 1',
      'first: 1, offset: 2',
      'last: 2',
      'first: 0',
      'first: 1, offset: 1000',
      'first: 2, orderBy: [{ field: SEED }]',
    ])
      expect((await asked(args)).teams).toMatchObject({ totalCount: total });
    expect((await asked('first: 1', '')).teams).toEqual({ totalCount: total });
    expect((await asked('first: 1, filter: { id: { eq: "t1-ab" } }')).teams).toEqual({ totalCount: 1, nodes: [{ id: 't1-ab' }] });
    expect(await statementsOf(app, () => asked('first: 1'))).toBe(1);
    expect(await statementsOf(app, () => asked('first: 1, filter: { id: { eq: "t1-ab" } }'))).toBe(2);
  });

  test('a reference to nobody is kept and leads nowhere', async () =>
    expect(await save({ clubId: 'nobody' }, 'clubId club { id }')).toEqual({ clubId: 'nobody', club: null }));

  test('the platform that wrote a team last stands in it', async () =>
    expect((await app.graphql('{ team(id: "t1-ab") { platform { title } } }')).team).toEqual({
      platform: { title: 'Test Platform' },
    }));

  test('a bulk delete gives what it deleted', async () => {
    await create('TournamentEvent', { id: 'bulk' });
    for (const id of ['bulk-1', 'bulk-2']) await create('Team', { id, eventId: 'bulk' });
    const remove = () => app.graphql('mutation { deleteTeamsOfEvent(eventId: "bulk") { id eventId event { id } } }');
    const { deleteTeamsOfEvent: deleted } = await remove();
    expect([deleted.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)), await remove()]).toEqual([
      ['bulk-1', 'bulk-2'].map((id) => ({ id, eventId: 'bulk', event: { id: 'bulk' } })),
      { deleteTeamsOfEvent: [] },
    ]);
  });
});

describe('cursors', () => {
  test('lead through a list once, whatever its order', async () => {
    for (const [id, startsAt] of [
      ['c1', at(3)],
      ['c2', null],
      ['c3', at(1)],
      ['c4', at(3)],
      ['c5', null],
    ] as const) {
      await save({ id, platformRaw: 'cursors', startsAt });
    }
    const query = `query ($after: String, $direction: Direction!) {
      tournaments(first: 2, after: $after, filter: { platformRaw: { eq: "cursors" } }, orderBy: [{ field: STARTS_AT, direction: $direction }]) {
        nodes { id } pageInfo { hasNextPage endCursor }
      }
    }`;
    const walk = async (direction: string, after: string | null = null): Promise<string[]> => {
      const { nodes, pageInfo } = (await app.graphql(query, { after, direction })).tournaments;
      const ids = nodes.map(({ id }: { id: string }) => id);
      return pageInfo.hasNextPage ? [...ids, ...(await walk(direction, pageInfo.endCursor))] : ids;
    };
    expect([await walk('ASC'), await walk('DESC')]).toEqual([
      ['c3', 'c1', 'c4', 'c2', 'c5'],
      ['c1', 'c4', 'c3', 'c2', 'c5'],
    ]);
  });

  test('of another list are refused', async () => {
    const { tournaments } = await app.graphql('{ tournaments(first: 1) { pageInfo { endCursor } } }');
    const query = 'query ($after: String) { teams(after: $after) { nodes { id } } }';
    expect(await app.graphql(query, { after: tournaments.pageInfo.endCursor })).toEqual({
      errors: ['BAD_INPUT: after: expected a cursor of this list in this order'],
    });
  });
});
