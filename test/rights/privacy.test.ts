import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { instantAt } from '../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let key: Tokens;
let ana: Person;
let ben: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  key = { platform: (await newKey(app)).key };
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(() => app.close());

const as = ({ user }: Person): Tokens => ({ user });

test('a publishable key reads only news items that are on the site', async () => {
  await app.graphql(
    `mutation ($past: Instant!, $next: Instant!) {
      a: createNewsItem(input: { id: "shown", slug: "shown", title: "Finals", siteSchedule: { from: $past } }) { id }
      b: createNewsItem(input: { id: "archived", slug: "archived", title: "Finals", archivedAt: $past }) { id }
      c: createNewsItem(input: { id: "early", slug: "early", title: "Finals", siteSchedule: { from: $next } }) { id }
      d: createNewsItem(input: { id: "late", slug: "late", title: "Finals", siteSchedule: { until: $past } }) { id }
      e: createNewsItem(input: { id: "draft", slug: "draft", title: "Finals" }) { id }
    }`,
    { past: instantAt(-1), next: instantAt(1) },
  );
  const fieldsOf = (id: string) => `${id}: newsItem(id: "${id}") { id } ${id}Page: newsItemBySlug(slug: "${id}") { id }`;
  const query = `{ news(orderBy: [{ field: ID }]) { totalCount nodes { id } } ${['shown', 'archived', 'draft', 'early', 'late'].map(fieldsOf).join(' ')} }`;
  const read = async (tokens: Tokens) => {
    const { news, ...single } = await app.graphql(query, {}, tokens);
    return {
      totalCount: news.totalCount,
      ids: news.nodes.map(({ id }: { id: string }) => id),
      singleReads: Object.values(single).filter(Boolean).length,
    };
  };
  const all = { totalCount: 5, ids: ['archived', 'draft', 'early', 'late', 'shown'], singleReads: 10 };
  expect({ key: await read(key), user: await read(as(ana)), platform: await read(app.platform) }).toEqual({
    key: { totalCount: 1, ids: ['shown'], singleReads: 2 },
    user: all,
    platform: all,
  });
  const { body } = await app.rest('GET', '/v1/data/news/archived', key);
  expect(body.Code).toBe(404);
});

describe('a promotional code', () => {
  beforeAll(() =>
    app.graphql(`mutation { upsertRegistration(input: { id: "ana", userId: "${ana.id}", promoCode: "EARLY" }) { id } }`),
  );

  test('is read by its player, platforms and admins', async () => {
    const read = async (tokens?: Tokens) =>
      (await app.graphql('{ registrations { nodes { promoCode } } }', {}, tokens)).registrations.nodes[0].promoCode;
    expect({
      player: await read(as(ana)),
      platform: await read(),
      admin: await read(as(admin)),
      otherPlayer: await read(as(ben)),
    }).toEqual({ player: 'EARLY', platform: 'EARLY', admin: 'EARLY', otherPlayer: null });
  });

  test.each<[string, string]>([
    ['filter.promoCode', '{ registrations(filter: { promoCode: { eq: "EARLY" } }) { totalCount } }'],
    ['filter.not.promoCode', '{ registrations(filter: { not: { promoCode: { isNull: true } } }) { totalCount } }'],
    [
      'filter.registrations.some.promoCode',
      '{ users(filter: { registrations: { some: { promoCode: { eq: "EARLY" } } } }) { totalCount } }',
    ],
    ['orderBy[0].field', '{ registrations(orderBy: [{ field: PROMO_CODE }]) { totalCount } }'],
  ])('is accepted in %s from admins but not from players', async (path, query) => {
    const forbidden = {
      errors: [`FORBIDDEN: ${path}: Not allowed: requires a platform token, or a user token with the role ADMIN`],
    };
    expect({
      otherPlayer: await app.graphql(query, {}, as(ben)),
      player: await app.graphql(query, {}, as(ana)),
      admin: Object.values((await app.graphql(query, {}, as(admin))) as object),
    }).toEqual({ otherPlayer: forbidden, player: forbidden, admin: [{ totalCount: 1 }] });
  });
});

test('a private group is visible to the players of its games, and not listed for other players', async () => {
  const [owner, player] = [await app.person(), await app.person()];
  const createGroup = (id: string, isPrivate: boolean) =>
    app.graphql(`mutation { upsertGameGroup(input: { id: "${id}", isPrivate: ${isPrivate} }) { id } }`, {}, as(owner));
  await createGroup('open', false);
  await createGroup('closed', true);
  await createGroup('known', true);
  await app.graphql(
    `mutation {
      a: scheduleGame(input: { startsAt: "2041-06-02T14:30:00Z", groupId: "closed", isInviteOnly: true, playerIds: ["${player.id}"] }) { id }
      b: scheduleGame(input: { startsAt: "2041-06-02T14:30:00Z", groupId: "known" }) { id }
    }`,
    {},
    as(owner),
  );
  const query = `{ gameGroups(orderBy: [{ field: ID }]) { totalCount nodes { id } } closed: gameGroup(id: "closed") { id }
    user(id: "${owner.id}") { gameGroups { totalCount } } games(filter: { group: { isPrivate: true } }) { nodes { group { id } } } }`;
  const visibleGroups = async (tokens: Tokens) => {
    const { gameGroups, closed, user, games } = await app.graphql(query, {}, tokens);
    return {
      listed: gameGroups.nodes.map(({ id }: { id: string }) => id),
      listedCount: gameGroups.totalCount,
      closed: closed?.id ?? null,
      countOfOwner: user.gameGroups.totalCount,
      gamesOfPrivateGroups: games.nodes.length,
    };
  };
  const all = { listed: ['closed', 'known', 'open'], listedCount: 3, closed: 'closed', countOfOwner: 3 };
  expect({
    owner: await visibleGroups(as(owner)),
    player: await visibleGroups(as(player)),
    otherPlayer: await visibleGroups(as(ben)),
    admin: await visibleGroups(as(admin)),
    platform: await visibleGroups(app.platform),
  }).toEqual({
    owner: { ...all, gamesOfPrivateGroups: 2 },
    player: { listed: ['closed', 'open'], listedCount: 2, closed: 'closed', countOfOwner: 2, gamesOfPrivateGroups: 2 },
    otherPlayer: { listed: ['open'], listedCount: 1, closed: null, countOfOwner: 1, gamesOfPrivateGroups: 1 },
    admin: { ...all, gamesOfPrivateGroups: 1 },
    platform: { ...all, gamesOfPrivateGroups: 1 },
  });
});

test('players cannot use many distance queries to locate another player more precisely than to about a kilometer', async () => {
  const [first, second] = [await app.person({ firstName: 'One' }), await app.person({ firstName: 'Other' })];
  const move = (latitude: number, longitude: number, { id }: Person) =>
    app.sql.rows('update app_user set latitude = $2, longitude = $3, shows_place = true where id = $1', [
      id,
      latitude,
      longitude,
    ]);
  await move(30.2751, -97.7449, first);
  await move(30.2849, -97.7351, second);
  const distances = async (near: object, tokens: Tokens) => {
    const { users } = await app.graphql(
      'query ($near: Near!) { users(filter: { near: $near }) { nodes { id distance } } }',
      { near },
      tokens,
    );
    const distanceOf = (person: Person) => users.nodes.find(({ id }: Person) => id === person.id)?.distance ?? null;
    return { first: distanceOf(first), second: distanceOf(second) };
  };
  const origins = [
    { latitude: 30.2, longitude: -97.7 },
    { latitude: 30.28, longitude: -97.7401 },
    { latitude: 30.3, longitude: -97.8 },
    { latitude: 31, longitude: -97.74 },
  ];
  const answers = [];
  for (const origin of origins)
    for (const distance of [0.5, 1, 5, 8.9, 9.1, 9.73, 100]) answers.push(await distances({ ...origin, distance }, as(ben)));
  const fractions = answers
    .flatMap(({ first, second }) => [first, second])
    .filter((distance) => distance !== null && !Number.isInteger(distance));
  expect({
    different: answers.filter(({ first, second }) => first !== second),
    fractions,
    outOfRange: new Set(answers.map(({ first }) => first === null)),
  }).toEqual({ different: [], fractions: [], outOfRange: new Set([true, false]) });
  const exact = await distances({ latitude: 30.2, longitude: -97.7, distance: 100 }, app.platform);
  expect(exact.first).not.toBe(exact.second);
});

test('isSuperAdmin is visible only to platforms, super admins and the user', async () => {
  const root = await app.person({ isSuperAdmin: true });
  // Callers with a publishable key can see this user, because a public team names the user.
  const team = `mutation { a: upsertTournament(input: { id: "of-root" }) { id } b: upsertTeam(input: { tournamentId: "of-root", playerOneId: "${root.id}" }) { id } }`;
  await app.graphql(team);
  const shown = async (tokens: Tokens) => (await app.graphql(`{ user(id: "${root.id}") { isSuperAdmin } }`, {}, tokens)).user;
  const filtered = async (tokens: Tokens) =>
    (await app.graphql('{ users(filter: { isSuperAdmin: true }) { totalCount } }', {}, tokens)).errors?.[0] ?? 'answered';
  expect({
    key: await shown(key),
    otherUser: await shown(as(ana)),
    self: await shown(as(root)),
    platform: await shown(app.platform),
    filteredByUser: await filtered(as(ana)),
    filteredByPlatform: await filtered(app.platform),
  }).toEqual({
    key: { isSuperAdmin: false },
    otherUser: { isSuperAdmin: false },
    self: { isSuperAdmin: true },
    platform: { isSuperAdmin: true },
    filteredByUser: expect.stringMatching(/^FORBIDDEN/),
    filteredByPlatform: 'answered',
  });
});
