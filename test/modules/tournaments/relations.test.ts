import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { instantAt, tournamentsOf } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

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
      await save({ id: t, clubId: 'club', platform: 'relations', startsAt: instantAt(Number(t[1])) });
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

  const allRelations = `query ($first: Int) {
    tournaments(first: $first, filter: { platform: { eq: "relations" } }) {
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

  test('of a tournament return its records, and their inverse relations return the tournament', async () => {
    const { tournaments } = await app.graphql(allRelations, { first: 1 });
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

  const statementCount = (first: number) => statementsOf(app, () => app.graphql(allRelations, { first }));
  test('take as many statements for three tournaments as for one', async () => {
    expect(await statementCount(3)).toBe(await statementCount(1));
  });

  test('of sibling lists to the same type are loaded in one statement', async () => {
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
    // One statement each for tournaments, teams, referees, registrations and users.
    expect(await statementsOf(app, () => app.graphql(query))).toBe(5);
  });

  test('count all rows, whichever page is requested', async () => {
    const { total } = (await app.sql.row('select count(*)::int as total from team')) ?? {};
    const teams = (args: string, more = 'nodes { id }') => app.graphql(`{ teams(${args}) { totalCount ${more} } }`);
    for (const args of [
      'first: 1',
      'first: 1, offset: 2',
      'last: 2',
      'first: 0',
      'first: 1, offset: 1000',
      'first: 2, orderBy: [{ field: SEED }]',
    ])
      expect((await teams(args)).teams).toMatchObject({ totalCount: total });
    expect((await teams('first: 1', '')).teams).toEqual({ totalCount: total });
    expect((await teams('first: 1, filter: { id: { eq: "t1-ab" } }')).teams).toEqual({ totalCount: 1, nodes: [{ id: 't1-ab' }] });
    expect(await statementsOf(app, () => teams('first: 1'))).toBe(1);
    expect(await statementsOf(app, () => teams('first: 1, filter: { id: { eq: "t1-ab" } }'))).toBe(2);
  });

  test('are null for a dangling reference, whose id is stored', async () =>
    expect(await save({ clubId: 'nobody' }, 'clubId club { id }')).toEqual({ clubId: 'nobody', club: null }));

  test('return the platform that last wrote a team', async () =>
    expect((await app.graphql('{ team(id: "t1-ab") { platform { title } } }')).team).toEqual({
      platform: { title: 'Test Platform' },
    }));

  test('are returned for records that a bulk deletion removes', async () => {
    await create('TournamentEvent', { id: 'bulk' });
    for (const id of ['bulk-1', 'bulk-2']) await create('Team', { id, eventId: 'bulk' });
    const remove = async () =>
      (await app.graphql('mutation { deleteTeamsOfEvent(eventId: "bulk") { id eventId event { id } } }')).deleteTeamsOfEvent;
    const first = await remove();
    const second = await remove();
    expect({ first: first.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)), second }).toEqual({
      first: ['bulk-1', 'bulk-2'].map((id) => ({ id, eventId: 'bulk', event: { id: 'bulk' } })),
      second: [],
    });
  });
});

describe('cursors', () => {
  test('visit each record of a list once in either direction', async () => {
    for (const [id, startsAt] of [
      ['c1', instantAt(3)],
      ['c2', null],
      ['c3', instantAt(1)],
      ['c4', instantAt(3)],
      ['c5', null],
    ] as const) {
      await save({ id, platform: 'cursors', startsAt });
    }
    const query = `query ($after: String, $direction: Direction!) {
      tournaments(first: 2, after: $after, filter: { platform: { eq: "cursors" } }, orderBy: [{ field: STARTS_AT, direction: $direction }]) {
        nodes { id } pageInfo { hasNextPage endCursor }
      }
    }`;
    const idsInOrder = async (direction: string, after: string | null = null): Promise<string[]> => {
      const { nodes, pageInfo } = (await app.graphql(query, { after, direction })).tournaments;
      const ids = nodes.map(({ id }: { id: string }) => id);
      return pageInfo.hasNextPage ? [...ids, ...(await idsInOrder(direction, pageInfo.endCursor))] : ids;
    };
    expect({ ascending: await idsInOrder('ASC'), descending: await idsInOrder('DESC') }).toEqual({
      ascending: ['c3', 'c1', 'c4', 'c2', 'c5'],
      descending: ['c1', 'c4', 'c3', 'c2', 'c5'],
    });
  });

  test('of another list are rejected', async () => {
    const { tournaments } = await app.graphql('{ tournaments(first: 1) { pageInfo { endCursor } } }');
    const query = 'query ($after: String) { teams(after: $after) { nodes { id } } }';
    expect(await app.graphql(query, { after: tournaments.pageInfo.endCursor })).toEqual({
      errors: ['BAD_INPUT: after: expected a cursor of this list in this order'],
    });
  });
});
