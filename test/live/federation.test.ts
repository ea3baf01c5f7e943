import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '../../src/commands/gateway/index.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { gatewayOf, type SubgraphProcesses, startSubgraphs } from '../support/federation.js';
import { type Heard, type Subscribed, subscribe } from '../support/live.js';
import { type FieldCase, fieldCases, subscriptionFields, subscriptionTo } from './field-cases.js';

const engines = ['hive', 'hive-js'] as const;
type Place = 'own' | (typeof engines)[number];
const places: readonly Place[] = ['own', ...engines];

/** Addresses in answers are those of the service, whoever answers. */
const published = { PUBLIC_URL: 'http://courtside.test' };

let app: TestApp;
let subgraphs: SubgraphProcesses;
let gateways: Record<(typeof engines)[number], Gateway>;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp(published);
  ana = await app.person();
  ben = await app.person({ roles: ['CONTENT_CONFIRMER'] });
  subgraphs = await startSubgraphs(app, 2, published);
  const [hive, js] = await Promise.all([gatewayOf('hive', subgraphs), gatewayOf('hive-js', subgraphs)]);
  gateways = { hive, 'hive-js': js };
  await app.graphql(`mutation {
    upsertClub(input: { id: "club", title: "Club" }) { id }
    upsertTournament(input: { id: "cup", title: "Cup", clubId: "club" }) { id }
    upsertTeam(input: { id: "team", tournamentId: "cup" }) { id }
  }`);
  await app.sql.rows(`insert into game (id, owner_id, title, starts_at) values ('game', $1, 'Round', now() + interval '1 day')`, [
    ana.id,
  ]);
}, 240_000);
afterAll(async () => {
  await Promise.all(Object.values(gateways).map((gateway) => gateway.stop()));
  await subgraphs.stop();
  await app.close();
});

const originOf = (place: Place) => (place === 'own' ? app.origin : new URL(gateways[place].url).origin);
const at = (place: Place, tokens: Tokens, query: string): Promise<Subscribed> =>
  subscribe({ origin: originOf(place) }, tokens, query);
const everywhere = async <T>(work: (place: Place) => Promise<T>): Promise<Record<Place, T>> =>
  Object.fromEntries(await Promise.all(places.map(async (place) => [place, await work(place)]))) as Record<Place, T>;
const alike = <T>(value: T): Record<Place, T> => ({ own: value, hive: value, 'hive-js': value });
const save = (title: string) =>
  app.graphql('mutation ($title: String) { updateTournament(id: "cup", input: { title: $title }) { id } }', { title });

test('there is something to tell for every field of Subscription', () => {
  expect(Object.keys(fieldCases).sort()).toEqual([...subscriptionFields].sort());
});

test.each(subscriptionFields)(
  '%s is told by gateways as by the graph, as it happens and to those who come back',
  async (name) => {
    const { as, unheard, work } = fieldCases[name] as FieldCase;
    const tokens = { platform: app.platform, ana, ben }[as];
    await app.graphql('mutation { upsertTournament(input: { id: "other", clubId: "club" }) { id } }');
    const { liveCursor } = await app.graphql('{ liveCursor }');
    const streams = await everywhere((place) => at(place, tokens, subscriptionTo(name)));
    await unheard?.(app);
    for (const [index, each] of work.entries()) {
      await each(app);
      // An event shows the record as it is when it is told.
      await everywhere((place) => streams[place].until(index + 1));
    }
    const count = work.length;
    const live = await everywhere((place) => streams[place].until(count));
    expect(live).toEqual(alike(live.own));
    expect(live.own.map(({ data }) => data?.[name]?.kind)).toHaveLength(count);

    const back = await everywhere((place) => at(place, tokens, subscriptionTo(name, liveCursor)));
    const missed = await everywhere((place) => back[place].until(count));
    expect(missed).toEqual(alike(missed.own));

    const forgotten = Buffer.from('anotherl.1').toString('base64url');
    const anew = await everywhere((place) => at(place, tokens, subscriptionTo(name, forgotten)));
    const told = await everywhere((place) => anew[place].until(1));
    expect(told).toEqual(alike(told.own));
    expect(told.own[0]?.data?.[name]?.kind).toBe('READ_ANEW');
    for (const place of places) for (const stream of [streams, back, anew]) stream[place].close();
  },
);

/** All that is sent, but for the signs of life. */
async function answerOf(url: string, body: object, tokens: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...tokens },
    body: JSON.stringify(body),
  });
  return [response.status, response.headers.get('content-type'), (await response.text()).replace(/^:\n\n/gm, '')];
}

test.each([
  ['an unknown record', 'subscription { tournament(id: "none") { id } }', {}],
  ['what is no cursor', 'subscription { cup: tournament(id: "cup", after: "x") { id } }', {}],
  ['an unknown field', 'subscription { tournament(id: "cup") { kin } }', {}],
  ['two fields', 'subscription { tournament(id: "cup") { id } teams(tournamentId: "cup") { id } }', {}],
  ['a missing variable', 'subscription ($id: ID!) { tournament(id: $id) { id } }', {}],
  ['a field that is left out', 'subscription { teams(tournamentId: "x") @skip(if: true) { kind } }', {}],
  [
    'a condition in a fragment',
    'subscription ($no: Boolean = false) { ...A } fragment A on Subscription { teams(tournamentId: "x") @include(if: $no) { kind } }',
    {},
  ],
  ['nobody', 'subscription { tournament(id: "cup") { id } }', { 'pb-api-token': '' }],
  ['a token that is not known', 'subscription { tournament(id: "cup") { id } }', { 'pb-api-token': 'unknown' }],
  ['who may not', 'subscription { notifications(userId: "person-2") { id } }', { 'pb-api-token': '', 'pb-user-token': 'ana' }],
])('%s is refused by gateways as by the graph', async (_, query, more) => {
  const tokens = { 'pb-api-token': app.platform.platform, ...more };
  if (tokens['pb-user-token' as keyof typeof tokens]) Object.assign(tokens, { 'pb-user-token': ana.user });
  const answers = await everywhere((place) => answerOf(`${originOf(place)}/graphql`, { query }, tokens));
  expect(answers).toEqual(alike(answers.own));
  expect(answers.own[2]).toContain('"errors":[{');
});

test.each(['application/json', 'text/html', 'multipart/mixed'])(
  'who takes %s and no events is told so by gateways as by the graph',
  async (accept) => {
    const answers = await everywhere((place) =>
      answerOf(
        `${originOf(place)}/graphql`,
        { query: 'subscription { tournament(id: "cup") { id } }' },
        { 'pb-api-token': app.platform.platform, accept },
      ),
    );
    expect(answers).toEqual(alike(answers.own));
    expect([answers.own[0], answers.own[2]]).toEqual([406, expect.stringContaining('expected text/event-stream')]);
  },
);

const query = 'subscription { tournament(id: "cup") { cursor tournament { title club { title } } } }';
const seen = ({ data, errors = [] }: Heard) => [
  data?.tournament?.tournament ?? null,
  errors.map(({ extensions, message }) => [extensions.code, message]),
];
const club = { title: 'Club' };
const absent = (module: string) => ['UNAVAILABLE', `${module}: this part of the graph does not answer for now`];

test.each(engines)('with %s a subgraph that is gone costs its own fields of an event only', async (engine) => {
  const stream = await at(engine, app.platform, query);
  await save('One');
  await stream.until(1);
  subgraphs.lines.faults = { leagues: 'gone' };
  await save('Two');
  await stream.until(2);
  subgraphs.lines.faults = {};
  await save('Three');
  expect((await stream.until(3)).map(seen)).toEqual([
    [{ title: 'One', club }, []],
    [{ title: 'Two', club: { title: null } }, [absent('leagues')]],
    [{ title: 'Three', club }, []],
  ]);
  stream.close();
});

test.each(engines)('with %s the stream of the subgraph ends when the client leaves', async (engine) => {
  const { lines } = subgraphs;
  await expect.poll(() => lines.open('tournaments')).toBe(0);
  const stream = await at(engine, app.platform, query);
  const during = lines.open('tournaments');
  stream.close();
  await expect.poll(() => lines.open('tournaments')).toBe(0);
  expect(during).toBe(1);
});

test.each(engines)('with %s a token that is revoked ends the stream, which says why', async (engine) => {
  const person = await app.person();
  const stream = await at(engine, { user: person.user }, query);
  await app.sql.rows('delete from user_token where user_id = $1', [person.id]);
  await stream.ended;
  expect(stream.heard.map(seen)).toEqual([[null, [['UNAUTHENTICATED', 'the token is unknown, expired or revoked']]]]);
});

test('when the process of a subgraph is killed its streams say so, and who comes back is told what they missed', async () => {
  const streams = await Promise.all(engines.map((engine) => at(engine, app.platform, query)));
  await save('Before');
  const before = await Promise.all(streams.map((stream) => stream.until(1)));
  await subgraphs.kill('tournaments');
  await Promise.all(streams.map(({ ended }) => ended));
  expect(streams.map(({ heard }) => heard.slice(1).map(seen))).toEqual(engines.map(() => [[null, [absent('tournaments')]]]));
  await save('Missed');
  await subgraphs.startAgain('tournaments');
  for (const [index, engine] of engines.entries()) {
    const cursor = before[index]?.[0]?.data?.tournament?.cursor;
    const back = await at(engine, app.platform, query.replace('"cup"', `"cup", after: "${cursor}"`));
    expect((await back.until(1)).map(seen)).toEqual([[{ title: 'Missed', club }, []]]);
    back.close();
  }
});
