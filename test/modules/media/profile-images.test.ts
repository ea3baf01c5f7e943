import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const own = 'https://img.example/own.png';
const urlOf = (name: string) => `https://img.example/${name}.png`;

/** Creates a user with a `profileImage` in the user record. */
async function player(): Promise<Person> {
  const person = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  await save(person.id, { profileImage: own });
  return person;
}

const save = async (uuid: string, payload: object) =>
  (
    await app.rest('POST', '/v1/users/upsert', app.platform, {
      payload: { uuid, firstName: 'Ana', lastName: 'Lopez', ...payload },
      fieldsToOmit: ['phone', 'gender', 'dob', 'countryId', 'stateId', 'city', 'zip', 'nameSuffix', 'phoneCountryId'],
    })
  ).body.result?.profileImage;
const shown = async (uuid: string) => (await app.rest('GET', `/v1/users/${uuid}`, app.platform)).body.result.profileImage;

/** Adds an image to a user. Returns its ID. */
async function addImage(uuid: string, name: string, day: number, type = 'profileImg'): Promise<string> {
  const payload = { type, url: urlOf(name), dateCreated: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z` };
  const { body } = await app.rest('POST', `/v1/users/${uuid}/image`, app.platform, { payload });
  return body.result.uuid;
}
const step = async (name: string, image: string, payload?: object) =>
  (await app.rest('PUT', `/v1/admin/system-approvals/76/${image}/${name}`, app.platform, payload && { payload })).status;
const approve = (image: string) => step('approve', image);

describe('the profile image of a user', () => {
  test('is the newest approved image, or else the image in the user record', async () => {
    const { id } = await player();
    const [older, newer] = [await addImage(id, 'older', 1), await addImage(id, 'newer', 2)];
    const steps: [string, string][] = [['pending', await shown(id)]];
    const take = async (name: string, change: Promise<unknown>) => {
      await change;
      steps.push([name, (await shown(id)).replace('https://img.example/', '')]);
    };
    await take('newer approved', approve(newer));
    await take('older approved', approve(older));
    await take('newer unapproved', step('unapprove', newer));
    await take('newer approved again', approve(newer));
    await take('newer deleted', app.rest('DELETE', `/v1/users/${id}/image/${newer}`, app.platform));
    await take('older unapproved', step('unapprove', older));
    expect(Object.fromEntries(steps)).toEqual({
      pending: own,
      'newer approved': 'newer.png',
      'older approved': 'newer.png',
      'newer unapproved': 'older.png',
      'newer approved again': 'newer.png',
      'newer deleted': 'older.png',
      'older unapproved': 'own.png',
    });
  });

  test('is not an approved image of another type', async () => {
    const { id } = await player();
    await approve(await addImage(id, 'cover', 1, 'headerImg'));
    expect(await shown(id)).toBe(own);
  });

  test('in the user record is kept while an approved image is shown', async () => {
    const { id } = await player();
    const image = await addImage(id, 'approved', 1);
    await approve(image);
    const answers = { sentBack: await save(id, { profileImage: urlOf('approved') }) };
    await step('unapprove', image);
    const afterSentBack = await shown(id);
    await approve(image);
    const changed = await save(id, { profileImage: urlOf('changed') });
    await step('unapprove', image);
    const afterChanged = await shown(id);
    await approve(image);
    const cleared = await save(id, { profileImage: '' });
    await step('unapprove', image);
    expect({ ...answers, afterSentBack, changed, afterChanged, cleared, afterCleared: await shown(id) }).toEqual({
      sentBack: urlOf('approved'),
      afterSentBack: own,
      changed: urlOf('approved'),
      afterChanged: urlOf('changed'),
      cleared: urlOf('approved'),
      afterCleared: '',
    });
  });

  test('comes from images that were approved before the user record was created', async () => {
    await approve(await addImage('late', 'early', 1));
    expect({ created: await save('late', { profileImage: own }), read: await shown('late') }).toEqual({
      created: urlOf('early'),
      read: urlOf('early'),
    });
  });

  test('is the newer one of two images that are approved at the same time', async () => {
    const { id } = await player();
    const images = [await addImage(id, 'first', 1), await addImage(id, 'second', 2)];
    expect({ statuses: await Promise.all(images.toReversed().map(approve)), shown: await shown(id) }).toEqual({
      statuses: [200, 200],
      shown: urlOf('second'),
    });
  });
});

describe('an approved profile image', () => {
  beforeAll(async () => {
    ana = await player();
    await approve(await addImage(ana.id, 'ana', 1));
  });

  test('is shown with rankings, teams, games, news and in search', async () => {
    const points = {
      playerUuid: ana.id,
      eventUuid: 'final',
      eventTitle: 'WS',
      eventDate: new Date(Date.now() - 1).toISOString(),
      points: 9,
    };
    await app.rest('POST', '/v1/admin/rankings/upsert', app.platform, { payload: points });
    await app.rest('POST', '/v1/game_scheduler', ana, { payload: { title: 'Morning' } });
    await app.graphql(`mutation {
      upsertTeam(input: { id: "team", playerOneId: "${ana.id}" }) { id }
      createNewsItem(input: { id: "article", authorId: "${ana.id}" }) { id }
    }`);
    const rankings = await app.rest('GET', '/v1/data/partner_rankings', app.platform);
    const games = await app.rest('GET', '/v1/data/game_scheduler?retrieve_all=true', ana);
    const { errors, ...graph } = await app.graphql(`{
      team(id: "team") { playerOne { imageUrl } }
      newsItem(id: "article") { author { imageUrl } }
      search(text: "Ana Lopez", kinds: [PLAYER], first: 100) { nodes { ... on User { id imageUrl } } }
      users(filter: { imageUrl: { eq: "${urlOf('ana')}" } }) { nodes { id } }
    }`);
    expect(errors).toBeUndefined();
    expect({
      ranking: rankings.body.results[0].profile_image,
      game: games.body.results[0].ownerProfileImage,
      team: graph.team.playerOne.imageUrl,
      author: graph.newsItem.author.imageUrl,
      search: graph.search.nodes.find(({ id }: Person) => id === ana.id).imageUrl,
      filtered: graph.users.nodes,
    }).toEqual({
      ...{ ranking: urlOf('ana'), game: urlOf('ana'), team: urlOf('ana'), author: urlOf('ana'), search: urlOf('ana') },
      filtered: [{ id: ana.id }],
    });
  });

  test('takes no additional statement', async () => {
    const count = (field: string) => statementsOf(app, () => app.graphql(`{ users(first: 100) { nodes { ${field} } } }`));
    expect(await count('imageUrl')).toBe(await count('firstName'));
  });

  test('is a change of the user, for polls and for subscribers', async () => {
    const { id } = await player();
    const image = await addImage(id, 'polled', 1);
    const poll = (tag?: string) =>
      app.rest('GET', `/v1/users/${id}`, app.platform, undefined, tag === undefined ? {} : { 'if-none-match': tag });
    const tag = (await poll()).headers.get('etag') ?? '';
    const before = (await poll(tag)).status;
    const version = async () => Number((await app.graphql(`{ user(id: "${id}") { version } }`)).user.version);
    const versionBefore = await version();
    await approve(image);
    const after = await poll(tag);
    const changes = await app.sql.rows(
      `select columns @> '{image_url}' as "isOfImage" from change where record = 'User' and id = $1 order by position desc limit 1`,
      [id],
    );
    expect({
      before,
      after: after.status,
      shown: after.body.result.profileImage,
      versions: (await version()) - versionBefore,
      changes,
    }).toEqual({ before: 304, after: 200, shown: urlOf('polled'), versions: 1, changes: [{ isOfImage: true }] });
  });

  test('is deleted when the person is erased', async () => {
    const { id } = await player();
    await approve(await addImage(id, 'gone', 1));
    const admin = await app.person({ isSuperAdmin: true });
    const { errors } = await app.graphql(`mutation { eraseUser(id: "${id}") { user { id } } }`, {}, admin);
    const [row] = await app.sql.rows(
      'select image_url as image, approved_image_url as approved, own_image_url as own from app_user where id = $1',
      [id],
    );
    expect({ errors, row }).toEqual({ errors: undefined, row: { image: null, approved: null, own: null } });
  });
});
