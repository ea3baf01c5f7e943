import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { at } from '../support/tournaments.js';

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

test('visitors with a key read the news that are on the site, and no others by any way', async () => {
  await app.graphql(
    `mutation ($past: Instant!, $next: Instant!) {
      a: createNewsItem(input: { id: "shown", slug: "shown", title: "Finals" }) { id }
      b: createNewsItem(input: { id: "archived", slug: "archived", title: "Finals", archivedAt: $past }) { id }
      c: createNewsItem(input: { id: "early", slug: "early", title: "Finals", siteSchedule: { from: $next } }) { id }
      d: createNewsItem(input: { id: "late", slug: "late", title: "Finals", siteSchedule: { until: $past } }) { id }
    }`,
    { past: at(-1), next: at(1) },
  );
  const one = (id: string) => `${id}: newsItem(id: "${id}") { id } ${id}Page: newsItemBySlug(slug: "${id}") { id }`;
  const query = `{ news(orderBy: [{ field: ID }]) { totalCount nodes { id } } ${['shown', 'archived', 'early', 'late'].map(one).join(' ')} }`;
  const ids = async (tokens: Tokens) => {
    const { news, ...single } = await app.graphql(query, {}, tokens);
    return [news.totalCount, news.nodes.map(({ id }: { id: string }) => id), Object.values(single).filter(Boolean).length];
  };
  const all = [4, ['archived', 'early', 'late', 'shown'], 8];
  const { body } = await app.rest('GET', '/v1/data/news/archived', key);
  expect([await ids(key), await ids(as(ana)), await ids(app.platform), body.Code]).toEqual([[1, ['shown'], 2], all, all, 404]);
});

describe('a promotional code', () => {
  beforeAll(() =>
    app.graphql(`mutation { upsertRegistration(input: { id: "ana", userId: "${ana.id}", promoCode: "EARLY" }) { id } }`),
  );

  test('is read by the player, platforms and admins', async () => {
    const read = async (tokens?: Tokens) =>
      (await app.graphql('{ registrations { nodes { promoCode } } }', {}, tokens)).registrations.nodes[0].promoCode;
    expect([await read(as(ana)), await read(), await read(as(admin)), await read(as(ben))]).toEqual([
      'EARLY',
      'EARLY',
      'EARLY',
      null,
    ]);
  });

  test('is filtered and ordered by platforms and admins only, also across relations', async () => {
    const ways: [string, string][] = [
      ['filter.promoCode', '{ registrations(filter: { promoCode: { eq: "EARLY" } }) { totalCount } }'],
      ['filter.not.promoCode', '{ registrations(filter: { not: { promoCode: { isNull: true } } }) { totalCount } }'],
      [
        'filter.registrations.some.promoCode',
        '{ users(filter: { registrations: { some: { promoCode: { eq: "EARLY" } } } }) { totalCount } }',
      ],
      ['orderBy[0].field', '{ registrations(orderBy: [{ field: PROMO_CODE }]) { totalCount } }'],
    ];
    for (const [path, query] of ways) {
      const refused = { errors: [`FORBIDDEN: ${path}: only for: platform or permission ADMIN`] };
      const found = Object.values((await app.graphql(query, {}, as(admin))) as object);
      expect([await app.graphql(query, {}, as(ben)), await app.graphql(query, {}, as(ana)), found]).toEqual([
        refused,
        refused,
        [{ totalCount: 1 }],
      ]);
    }
  });
});

test('a private group is listed for its members, and known to who sees a game of it', async () => {
  const [owner, player] = [await app.person(), await app.person()];
  const make = (id: string, isPrivate: boolean) =>
    app.graphql(`mutation { upsertGameGroup(input: { id: "${id}", isPrivate: ${isPrivate} }) { id } }`, {}, as(owner));
  for (const [id, isPrivate] of [
    ['open', false],
    ['closed', true],
    ['known', true],
  ] as const)
    await make(id, isPrivate);
  await app.graphql(
    `mutation {
      a: scheduleGame(input: { groupId: "closed", isInviteOnly: true, playerIds: ["${player.id}"] }) { id }
      b: scheduleGame(input: { groupId: "known" }) { id }
    }`,
    {},
    as(owner),
  );
  const query = `{ gameGroups(orderBy: [{ field: ID }]) { totalCount nodes { id } } closed: gameGroup(id: "closed") { id }
    user(id: "${owner.id}") { gameGroups { totalCount } } games(filter: { group: { isPrivate: true } }) { nodes { group { id } } } }`;
  const seen = async (tokens: Tokens) => {
    const { gameGroups, closed, user, games } = await app.graphql(query, {}, tokens);
    const listed = gameGroups.nodes.map(({ id }: { id: string }) => id);
    return [listed, gameGroups.totalCount === listed.length, closed?.id ?? null, user.gameGroups.totalCount, games.nodes.length];
  };
  const everything = [['closed', 'known', 'open'], true, 'closed', 3];
  expect([
    await seen(as(owner)),
    await seen(as(player)),
    await seen(as(ben)),
    await seen(as(admin)),
    await seen(app.platform),
  ]).toEqual([
    [...everything, 2],
    [['closed', 'open'], true, 'closed', 2, 2],
    [['open'], true, null, 1, 1],
    [...everything, 1],
    [...everything, 1],
  ]);
});

test('where somebody is who shows it is told to about a kilometre, however often one asks', async () => {
  const [one, other] = [await app.person({ firstName: 'One' }), await app.person({ firstName: 'Other' })];
  const move = (latitude: number, longitude: number, who: Person) =>
    app.sql.rows('update app_user set latitude = $2, longitude = $3, shows_place = true where id = $1', [
      who.id,
      latitude,
      longitude,
    ]);
  await move(30.2751, -97.7449, one);
  await move(30.2849, -97.7351, other);
  const ask = async (near: object, tokens: Tokens) => {
    const { users } = await app.graphql(
      'query ($near: Near!) { users(filter: { near: $near }) { nodes { id distance } } }',
      { near },
      tokens,
    );
    const distance = (who: Person) => users.nodes.find(({ id }: Person) => id === who.id)?.distance ?? null;
    return [distance(one), distance(other)];
  };
  const places = [
    [30.2, -97.7],
    [30.28, -97.7401],
    [30.3, -97.8],
    [31, -97.74],
  ] as const;
  const told = [];
  for (const [latitude, longitude] of places)
    for (const distance of [0.5, 1, 5, 8.9, 9.1, 9.73, 100]) told.push(await ask({ latitude, longitude, distance }, as(ben)));
  const exact = await ask({ latitude: 30.2, longitude: -97.7, distance: 100 }, app.platform);
  expect([
    told.filter(([mine, theirs]) => mine !== theirs),
    told.flat().filter((distance) => distance !== null && !Number.isInteger(distance)),
    new Set(told.map(([mine]) => mine === null)),
    exact[0] === exact[1],
  ]).toEqual([[], [], new Set([true, false]), false]);
});
