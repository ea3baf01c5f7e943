import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { subscribe } from '../support/live.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  ben = await app.person({ roles: ['CONTENT_CONFIRMER'] });
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
});
afterAll(() => app.close());

const run = (text: string, tokens?: Tokens) => app.graphql(`mutation { ${text} }`, {}, tokens);

/** What one who subscribes to a field is told of while some work is done, as far as the selection goes. */
async function told(
  field: string,
  selection: string,
  tokens: Tokens,
  many: number,
  work: (heard: (many: number) => Promise<unknown>) => Promise<unknown>,
) {
  const name = field.split('(')[0] ?? '';
  const stream = await subscribe(app, tokens, `subscription { ${field} { kind id ${selection} } }`);
  await work(stream.until);
  const heard = await stream.until(many);
  stream.close();
  return heard.map(({ data, errors }) => errors ?? data?.[name]);
}

test('the teams of a tournament are told of as they enter, change and leave, also for another tournament', async () => {
  const events = await told('teams(tournamentId: "cup")', 'team { seed tournamentId }', app.platform, 4, async () => {
    await run('upsertTeam(input: { id: "t1", tournamentId: "cup", seed: 1 }) { id }');
    await run('upsertTeam(input: { id: "t2", tournamentId: "other" }) { id }');
    await run('upsertTeam(input: { id: "t1", seed: 2 }) { id }');
    await run('upsertTeam(input: { id: "t1", tournamentId: "other" }) { id }');
    await run('upsertTeam(input: { id: "t1", seed: 3 }) { id }');
    await run('upsertTeam(input: { id: "t3", tournamentId: "cup" }) { id }');
  });
  expect(events.map((event) => Object(event).kind)).toEqual(['CREATED', 'CHANGED', 'CHANGED', 'CREATED']);
  expect(events.at(-1)).toEqual({ kind: 'CREATED', id: 't3', team: { seed: null, tournamentId: 'cup' } });
});

test('the final standings of an event are told of', async () => {
  const events = await told('standings(eventId: "e1")', 'finalStanding { finalRanking }', app.platform, 2, async () => {
    await run('upsertFinalStanding(input: { id: "s1", eventId: "e1", teamId: "t1", finalRanking: 2 }) { id }');
    await run('deleteFinalStanding(id: "s1") { id }');
  });
  expect(events.map((event) => [Object(event).kind, Object(event).id])).toEqual([
    ['CREATED', 's1'],
    ['DELETED', 's1'],
  ]);
  expect(Object(events[1]).finalStanding).toBeNull();
});

test('the matches of a tournament are those whose records name one of its teams', async () => {
  await run('upsertTeam(input: { id: "m1", tournamentId: "cup" }) { id }');
  const events = await told(
    'matches(tournamentId: "cup")',
    'prematch { matchId } pregame { gameNumber } tournamentReferee { tournamentId }',
    app.platform,
    4,
    async () => {
      await run('upsertPrematch(input: { id: "p0", matchId: "elsewhere" }) { id }');
      await run('upsertPrematch(input: { id: "p1", matchId: "match", coinTossTeamId: "m1" }) { id }');
      await run('upsertPregame(input: { id: "g1", matchId: "match", gameNumber: 1 }) { id }');
      await run('upsertPregame(input: { id: "g2", servingTeamId: "m1", gameNumber: 2 }) { id }');
      await run('upsertTournamentReferee(input: { id: "r1", tournamentId: "cup" }) { id }');
    },
  );
  expect(events).toEqual([
    { kind: 'CREATED', id: 'p1', prematch: { matchId: 'match' }, pregame: null, tournamentReferee: null },
    { kind: 'CREATED', id: 'g1', prematch: null, pregame: { gameNumber: 1 }, tournamentReferee: null },
    { kind: 'CREATED', id: 'g2', prematch: null, pregame: { gameNumber: 2 }, tournamentReferee: null },
    { kind: 'CREATED', id: 'r1', prematch: null, pregame: null, tournamentReferee: { tournamentId: 'cup' } },
  ]);
});

const addGame = (id: string, isInviteOnly: boolean) =>
  app.sql.rows(
    `insert into game (id, owner_id, title, is_invite_only, starts_at) values ($1, 'x', 'Round', $2, now() + interval '1 day')`,
    [id, isInviteOnly],
  );

test('a game is told of to whoever sees it, as long as they do', async () => {
  await addGame('open', false);
  await addGame('closed', true);
  const events = await told('game(id: "open")', 'changedFields game { title }', ana, 3, async (heard) => {
    await app.sql.rows(`update game set title = 'One' where id = 'open'`);
    await heard(1);
    await app.sql.rows(`update game set is_invite_only = true where id = 'open'`);
    await heard(2);
    await app.sql.rows(`update game set title = 'Secret' where id = 'open'`);
    await app.graphql('{ liveCursor }');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await app.sql.rows(`delete from game where id = 'open'`);
  });
  expect(events).toEqual([
    { kind: 'CHANGED', id: 'open', changedFields: ['title'], game: { title: 'One' } },
    { kind: 'CHANGED', id: 'open', changedFields: ['isInviteOnly'], game: null },
    { kind: 'DELETED', id: 'open', changedFields: [], game: null },
  ]);
  expect(JSON.stringify(events)).not.toContain('Secret');
  const refused = await subscribe(app, ana, 'subscription { game(id: "closed") { id } }');
  expect((await refused.until(1))[0]?.errors?.[0]).toMatchObject({
    message: 'no game has the id closed',
    extensions: { code: 'NOT_FOUND' },
  });
});

const notice = (id: string, user: string) =>
  app.sql.rows(`insert into notification (id, user_id, event, content) values ($1, $2, 'GAME_CANCELED', 'text')`, [id, user]);

test('notifications are told of to whom they are for, and to platforms that name the user', async () => {
  const notify = async () => {
    await notice(`ben-${Math.random()}`, ben.id);
    await notice(`ana-${Math.random()}`, ana.id);
  };
  const selection = 'notification { content user { id } }';
  const expected = [
    { kind: 'CREATED', id: expect.stringMatching(/^ana/), notification: { content: 'text', user: { id: ana.id } } },
  ];
  expect(await told('notifications', selection, ana, 1, notify)).toEqual(expected);
  expect(await told(`notifications(userId: "${ana.id}")`, selection, app.platform, 1, notify)).toEqual(expected);
  const refused = await subscribe(app, ben, `subscription { notifications(userId: "${ana.id}") { id } }`);
  expect((await refused.until(1))[0]?.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

test('what waits for approval is told of as it comes and goes', async () => {
  const add = (id: string, owner: string) =>
    app.sql.rows(`insert into biography (id, user_id, approval_state) values ($1, $2, 'PENDING')`, [id, owner]);
  const events = await told('approvals', 'isWaiting itemType item { id }', ben, 2, async (heard) => {
    await add('own', ben.id);
    await add('bio', ana.id);
    await heard(1);
    await app.sql.rows(`update biography set approval_state = 'DECLINED' where id = 'bio'`);
  });
  expect(events.at(-1)).toEqual({ kind: 'CHANGED', id: 'bio', isWaiting: false, itemType: 'BIOGRAPHY', item: { id: 'bio' } });
  expect(JSON.stringify(events)).not.toContain('own');
});

test('what a platform has approved itself waits for it no more', async () => {
  await app.sql.rows(`insert into biography (id, user_id, approval_state, approval_required) values ('two', $1, 'PENDING', 2)`, [
    ana.id,
  ]);
  const events = await told('approvals', 'isWaiting itemType item { id }', app.platform, 1, () =>
    run('approveItem(type: BIOGRAPHY, id: "two") { state }'),
  );
  expect(events).toMatchObject([{ kind: 'CREATED', isWaiting: false, itemType: 'BIOGRAPHY', item: { id: 'two' } }]);
});

test('platforms follow all records that they may read, and by cursor what they missed', async () => {
  const { liveCursor } = await app.graphql('{ liveCursor }');
  await run('upsertLeague(input: { id: "l1", title: "League" }) { id }');
  await run('upsertTeam(input: { id: "t9", seed: 1 }) { id }', { ...app.platform, ...ana });
  const events = await told(
    `changes(records: ["League", "Team"], after: "${liveCursor}")`,
    'record userId platformId node { nodeId ... on League { title } ... on Team { seed } }',
    app.platform,
    2,
    async () => undefined,
  );
  expect(events).toMatchObject([
    { kind: 'CREATED', id: 'l1', record: 'League', userId: null, platformId: 'test-platform', node: { title: 'League' } },
    { kind: 'CREATED', id: 't9', record: 'Team', userId: ana.id, platformId: 'test-platform', node: { seed: 1 } },
  ]);
});

test.each([
  ['changes(records: ["Tournament", "UserToken"]) { id }', 'BAD_INPUT', 'records[1]'],
  ['changes(records: []) { id }', 'BAD_INPUT', 'records'],
  ['tournament(id: "cup") @skip(if: false) { id }', 'BAD_INPUT', 'without @skip and @include'],
  ['tournament(id: "nowhere") { id }', 'NOT_FOUND', 'no tournament has the id nowhere'],
  ['tournament(id: "cup", after: "nonsense") { id }', 'BAD_INPUT', 'after'],
])('a subscription to %s is refused with %s', async (field, code, words) => {
  const stream = await subscribe(app, app.platform, `subscription { ${field} }`);
  const [refused] = await stream.until(1);
  expect([refused?.errors?.[0]?.extensions.code, refused?.errors?.[0]?.message]).toEqual([code, expect.stringContaining(words)]);
});

test('every field of Subscription has a cursor, a policy and `after`', () => {
  const fields = Object.values(graphOfModules().getSubscriptionType()?.getFields() ?? {});
  expect(fields.map(({ name }) => name).sort()).toEqual([
    'approvals',
    'changes',
    'game',
    'matches',
    'notifications',
    'standings',
    'teams',
    'tournament',
  ]);
  for (const { args, description } of fields)
    expect([args.at(-1)?.name, /For: \S/.test(description ?? '')]).toEqual(['after', true]);
});
