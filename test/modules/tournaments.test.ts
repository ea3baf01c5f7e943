import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const hour = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

const save = async (input: object, fields = 'id') => {
  const answer = await app.graphql(`mutation ($input: TournamentInput!) { upsertTournament(input: $input) { ${fields} } }`, {
    input,
  });
  return answer.upsertTournament ?? answer;
};
const find = async (filter: object, field = 'id') => {
  const answer = await app.graphql(`query ($filter: TournamentFilter) { tournaments(filter: $filter) { nodes { ${field} } } }`, {
    filter,
  });
  return answer.tournaments?.nodes.map((node: Record<string, unknown>) => node[field]) ?? answer.errors;
};
const read = async (id: string, fields: string) =>
  (await app.graphql(`query ($id: ID!) { tournament(id: $id) { ${fields} } }`, { id })).tournament;

/** How many statements a request takes; the least of some, because now and then one asks again whose token it is. */
const statements = async (query: string, variables: Record<string, unknown>) => {
  const counts: number[] = [];
  for (let run = 0; run < 4; run++) {
    const before = app.statements();
    await app.graphql(query, variables);
    counts.push(app.statements() - before);
  }
  return Math.min(...counts);
};

describe('search', () => {
  beforeAll(async () => {
    for (const title of ['Austin Open', 'Boston Classic', 'Autsin Open', 'Montréal 50% Cup']) await save({ title });
  });

  test.for<[string, string[]]>([
    ['autsin open', ['Autsin Open', 'Austin Open']],
    ['austin pickleball open', ['Austin Open']],
    ['bosten', ['Boston Classic']],
    ['BOSTON', ['Boston Classic']],
    ['montreal', ['Montréal 50% Cup']],
    ['50%', ['Montréal 50% Cup']],
    ['nothing like it', []],
  ])('%s', async ([search, titles]) => expect(await find({ search }, 'title')).toEqual(titles));
});

describe('near', () => {
  const austin = { latitude: 30.2672, longitude: -97.7431 };
  beforeAll(async () => {
    await save({ id: 'georgetown', location: { latitude: 30.6333, longitude: -97.6772 } });
    await save({ id: 'austin', location: austin });
    await save({ id: 'sydney', location: { latitude: -33.8688, longitude: 151.2093 } });
    await save({ id: 'nowhere' });
  });

  test('finds the nearest first', async () =>
    expect(await find({ near: { ...austin, distance: 50 } })).toEqual(['austin', 'georgetown']));

  test('measures in miles where asked', async () => {
    const within = (unit: string) => find({ near: { ...austin, distance: 27, unit } });
    expect([await within('MILES'), await within('KILOMETERS')]).toEqual([['austin', 'georgetown'], ['austin']]);
  });

  test('works across the globe', async () =>
    expect(await find({ near: { ...austin, distance: 20_100 } })).toEqual(['austin', 'georgetown', 'sydney']));

  test.for([
    [{ ...austin, latitude: 91, distance: 1 }, 'BAD_INPUT: filter.near.latitude: expected a number from -90 to 90'],
    [{ ...austin, distance: -1 }, 'BAD_INPUT: filter.near.distance: expected a number from 0 to 100000'],
  ] as const)('refuses %o', async ([near, error]) => expect(await find({ near })).toEqual([error]));
});

describe('phase', () => {
  test.for<[string, object]>([
    ['ANNOUNCED', { startsAt: at(500), endsAt: at(520), registrationOpensAt: at(10), registrationClosesAt: at(400) }],
    ['REGISTERING', { startsAt: at(500), endsAt: at(520), registrationOpensAt: at(-10), registrationClosesAt: at(400) }],
    ['CLOSED', { startsAt: at(500), endsAt: at(520), registrationOpensAt: at(-20), registrationClosesAt: at(-10) }],
    ['CLOSED', { startsAt: at(500), registrationOpensAt: at(-10), registrationClosesAt: at(400), isRegistrationClosed: true }],
    ['PLAYING', { startsAt: at(-5), endsAt: at(5), registrationOpensAt: at(-10), registrationClosesAt: at(400) }],
    ['OVER', { startsAt: at(-20), endsAt: at(-5) }],
    ['CANCELLED', { startsAt: at(-5), endsAt: at(5), isCancelled: true }],
    ['ANNOUNCED', {}],
  ])('%s for %o', async ([phase, dates]) => expect(await save(dates, 'phase')).toEqual({ phase }));

  test('a filter that is false asks for the opposite', async () => {
    await save({ id: 'dateless', platform: 'phases' });
    await save({ id: 'over', platform: 'phases', startsAt: at(-20), endsAt: at(-5) });
    expect(await find({ platform: { eq: 'phases' }, isPast: false })).toEqual(['dateless']);
  });
});

describe('utcOffset', () => {
  test.for<[number | null, string | null, string | null]>([
    [-18_000, 'America/Chicago', '2026-07-01T12:00:00Z'],
    [-21_600, 'America/Chicago', '2026-01-01T12:00:00Z'],
    [20_700, 'Asia/Kathmandu', '2026-01-01T12:00:00Z'],
    [null, 'Mars/Olympus', '2026-01-01T12:00:00Z'],
    [null, 'America/Chicago', null],
  ])('%s in %s at %s', async ([utcOffset, timeZone, startsAt]) =>
    expect(await save({ timeZone, startsAt }, 'utcOffset')).toEqual({ utcOffset }),
  );
});

describe('sanctions', () => {
  const entries = 'sanctions { body isSanctioned levelTitle }';

  test('a patch changes the entries that it names', async () => {
    await save({
      id: 's1',
      sanctions: [
        { body: 'PPA', isSanctioned: true, levelTitle: 'Gold' },
        { body: 'APP', levelTitle: 'Silver' },
      ],
    });
    expect(
      await save(
        {
          id: 's1',
          sanctions: [
            { body: 'APP', isSanctioned: true },
            { body: 'MLP', levelTitle: 'Tin' },
          ],
        },
        entries,
      ),
    ).toEqual({
      sanctions: [
        { body: 'APP', isSanctioned: true, levelTitle: 'Silver' },
        { body: 'MLP', isSanctioned: false, levelTitle: 'Tin' },
        { body: 'PPA', isSanctioned: true, levelTitle: 'Gold' },
      ],
    });
  });

  test('an entry that says nothing any more goes, and an empty list clears', async () => {
    await save({
      id: 's2',
      sanctions: [
        { body: 'PPA', isSanctioned: true },
        { body: 'APP', isSanctioned: true },
      ],
    });
    const one = await save({ id: 's2', sanctions: [{ body: 'PPA', isSanctioned: false, levelTitle: null }] }, entries);
    const none = await save({ id: 's2', sanctions: [] }, entries);
    expect([one, none]).toEqual([{ sanctions: [{ body: 'APP', isSanctioned: true, levelTitle: null }] }, { sanctions: [] }]);
  });

  test('concurrent patches of different bodies all stand', async () => {
    const bodies = ['APP', 'GPA', 'MLP', 'PAA', 'PCO', 'PPA', 'SSIPA', 'USAP', 'WPF'];
    await Promise.all(bodies.map((body) => save({ id: 's3', sanctions: [{ body, isSanctioned: true }] })));
    expect((await read('s3', 'sanctions { body }')).sanctions).toEqual(bodies.map((body) => ({ body })));
  });

  test('tournaments are found by any of several bodies', async () => {
    await save({ id: 's4', platform: 'bodies', sanctions: [{ body: 'PPA', isSanctioned: true }] });
    await save({ id: 's5', platform: 'bodies', sanctions: [{ body: 'APP', isSanctioned: true }] });
    await save({ id: 's6', platform: 'bodies', sanctions: [{ body: 'APP', levelTitle: 'Asked for' }] });
    const by = (...sanctionedBy: string[]) => find({ platform: { eq: 'bodies' }, sanctionedBy });
    expect([await by('PPA', 'MLP'), await by('PPA', 'APP'), await by('MLP')]).toEqual([['s4'], ['s4', 's5'], []]);
  });

  test('an approval knows the name of its body', async () =>
    expect(
      await save(
        { approvals: [{ governingBodyId: '6' }, { governingBodyId: 'none' }] },
        'approvals { governingBody { shortName } }',
      ),
    ).toEqual({
      approvals: [{ governingBody: { shortName: 'PPA' } }, { governingBody: null }],
    }));
});

describe('patches', () => {
  test('absent fields keep their values, null clears, codes never change', async () => {
    const fields = 'title isFeatured location { city venue } code refereeCode';
    const before = await save({ id: 'p1', title: 'One', isFeatured: true, location: { city: 'Austin', venue: 'Park' } }, fields);
    const after = await save({ id: 'p1', title: null, isFeatured: null, location: { venue: null } }, fields);
    expect(after).toEqual({ ...before, title: null, isFeatured: false, location: { city: 'Austin', venue: null } });
  });

  test('a tournament is found by its code', async () => {
    const { code } = await save({ id: 'p2' }, 'code');
    expect(await app.graphql('query ($code: String!) { tournamentByCode(code: $code) { id } }', { code })).toEqual({
      tournamentByCode: { id: 'p2' },
    });
  });

  test.for<[object, string]>([
    [{ location: { latitude: 91 } }, 'BAD_INPUT: location.latitude: expected a number from -90 to 90'],
    [{ title: 'a\0b' }, 'BAD_INPUT: title: expected text without NUL characters'],
    [{ title: 'x'.repeat(10_001) }, 'BAD_INPUT: title: expected at most 10000 characters'],
    [{ sanctions: [{ isSanctioned: true }] }, 'BAD_INPUT: sanctions.0.body: expected a value'],
    [{ approvals: [{ status: 'a\0b' }] }, 'BAD_INPUT: approvals.0.status: expected text without NUL characters'],
  ])('refuses %o', async ([input, error]) => expect(await save(input)).toEqual({ errors: [error] }));
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
      await save({ id, platform: 'cursors', startsAt });
    }
    const query = `query ($after: String, $direction: Direction!) {
      tournaments(first: 2, after: $after, filter: { platform: { eq: "cursors" } }, orderBy: [{ field: STARTS_AT, direction: $direction }]) {
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
      await save({ id: t, clubId: 'club', platform: 'relations', startsAt: at(Number(t[1])) });
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

  test('take as many statements for three tournaments as for one', async () =>
    expect(await statements(everything, { first: 3 })).toBe(await statements(everything, { first: 1 })));

  test('a reference to nobody is kept and leads nowhere', async () =>
    expect(await save({ clubId: 'nobody' }, 'clubId club { id }')).toEqual({ clubId: 'nobody', club: null }));

  test('the platform that wrote a team last stands in it', async () =>
    expect((await app.graphql('{ team(id: "t1-ab") { platform { name } } }')).team).toEqual({
      platform: { name: 'Test Platform' },
    }));

  test('a bulk delete tells how many there were', async () => {
    await create('Team', { eventId: 'bulk' });
    await create('Team', { eventId: 'bulk' });
    const remove = () => app.graphql('mutation { deleteTeamsOfEvent(eventId: "bulk") }');
    expect([await remove(), await remove()]).toEqual([{ deleteTeamsOfEvent: 2 }, { deleteTeamsOfEvent: 0 }]);
  });
});

describe('permissions', () => {
  const mutation = 'mutation { upsertTournament(input: { title: "Mine" }) { id } }';

  test('a user reads tournaments, and only platforms write them', async () => {
    const { user } = await app.person();
    expect([
      await app.graphql('{ tournament(id: "p1") { id } }', {}, { user }),
      await app.graphql(mutation, {}, { user }),
    ]).toEqual([{ tournament: { id: 'p1' } }, { errors: ['FORBIDDEN: only for: platform'] }]);
  });

  test('nobody does nothing', async () =>
    expect(await app.graphql(mutation, {}, { platform: '' })).toEqual({
      errors: ['UNAUTHENTICATED: a token is needed: platform'],
    }));
});
