import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let editor: Person;
let reader: Person;
const startOfTest = Date.now();
const days = (count: number) => new Date(startOfTest + count * 86_400_000).toISOString();
const [past, ahead] = [days(-2), days(2)];

/** News items with different values in the fields by which the list can be filtered. */
const items: Record<string, object> = {
  draft: { title: 'Draft', status: 'ACTIVE_NEWS_STATUS' },
  plain: { title: 'Plain', categoriesIds: ['3'], dateStartShowOnSite: days(-3) },
  home: {
    title: 'On the home page',
    dateStartShowOnSite: days(-4),
    dateStartShowOnHomepage: past,
    dateEndShowOnHomepage: ahead,
    dateArchived: ahead,
  },
  soon: { title: 'Soon', dateStartShowOnSite: days(1), dateStartShowOnHomepage: ahead, dateStartShowOnFeatured: ahead },
  over: { title: 'Over', dateEndShowOnSite: past, dateEndShowOnHomepage: days(-1), publishDateDisplayed: days(-9) },
  starred: { title: 'Starred', dateStartShowOnFeatured: past, dateStartShowOnSite: past, publishDateDisplayed: days(-5) },
  filed: {
    title: 'Filed away',
    dateArchived: past,
    dateStartShowOnSite: past,
    dateStartShowOnHomepage: past,
    dateStartShowOnFeatured: past,
    categoriesIds: ['3', '1'],
  },
};
/** UUIDs that the server assigned, keyed by slug. */
const uuids: Record<string, string> = {};

beforeAll(async () => {
  app = await startApp();
  editor = await app.person({ roles: ['NEWS_CREATOR'] });
  reader = await app.person();
  for (const [index, [slug, item]] of Object.entries(items).entries()) {
    const dateCreated = `2026-01-0${index + 1}T00:00:00Z`;
    const { body } = await app.rest('POST', '/v1/admin/news', app.platform, { payload: { slug, dateCreated, ...item } });
    uuids[slug] = body.result.uuid;
  }
});
afterAll(() => app.close());

const slugsOrError = async (query: string) => {
  const byUuid = query.replace(/(?<=news_uuids=)[\w,]+/, (slugs) =>
    slugs
      .split(',')
      .map((slug) => uuids[slug] ?? slug)
      .join(),
  );
  const { status, body } = await app.rest('GET', `/v1/data/news${byUuid}`, reader);
  return status === 200 ? body.results.map(({ slug }: { slug: string }) => slug).join(' ') : body.Message;
};

test.each([
  ['', 'filed starred over soon home plain draft'],
  ['?page_size=2', 'filed starred'],
  ['?page_size=2&current_page=4', 'home plain'],
  ['?page_size=2&current_page=6', 'draft'],
  ['?show_on_homepage=true', 'home'],
  ['?show_on_homepage=false&page_size=1', 'filed'],
  ['?show_on_site=true', 'starred home plain'],
  ['?show_on_site=true&status=archived', ''],
  ['?show_on_homepage=true&news_uuids=filed,home', 'home'],
  ['?featured=true&category_id=3', ''],
  ['?show_on_site=1&show_on_homepage=1', 'home'],
  ['?featured=true', 'starred'],
  ['?featured=false', 'featured: expected one of true, 1'],
  ['?news_uuids=over,plain,nothing', 'over plain'],
  ['?title=AWAY', 'filed'],
  ['?status=active', 'starred home plain'],
  ['?status=inactive', 'over soon draft'],
  ['?show_on_site=true&news_uuids=draft', ''],
  ['?show_on_homepage=true&news_uuids=draft', ''],
  ['?featured=true&news_uuids=draft', ''],
  ['?status=archived', 'filed'],
  ['?status=lost', 'status: expected one of active, inactive, archived'],
  ['?category_id=3', 'filed plain'],
  ['?category_id=three', 'category_id: expected a number'],
  ['?start_show_on_site=desc', 'soon starred filed plain home draft over'],
  ['?start_show_on_homepage=asc&news_uuids=home,soon,over', 'home soon over'],
  ['?end_show_on_homepage=desc&news_uuids=home,soon,over', 'home over soon'],
  ['?end_show_on_site=asc&news_uuids=home,over', 'over home'],
  ['?publish_date_displayed=desc&news_uuids=home,over,starred', 'starred over home'],
  ['?publish_date_displayed=up', 'publish_date_displayed: expected one of asc, desc, ascending, descending'],
])('GET /v1/data/news%s', async (query, expected) => expect(await slugsOrError(query)).toBe(expected));

test('a PUT changes the item of its path, ignores the uuid of its payload, and keeps the slug if none is sent', async () => {
  const payload = { uuid: uuids.over, title: 'Quite plain', newsAuthorUuid: editor.id, dateStartShowOnSite: past };
  const { body } = await app.rest('PUT', `/v1/admin/news/${uuids.plain}`, app.platform, { payload });
  const { uuid, slug, title, newsAuthorUuid, dateCreated } = body.result;
  expect({ uuid, slug, title, newsAuthorUuid, dateCreated }).toEqual({
    uuid: uuids.plain,
    slug: 'plain',
    title: 'Quite plain',
    newsAuthorUuid: editor.id,
    dateCreated: '2026-01-02T00:00:00Z',
  });
});

test('a PUT changes the slug to the one sent, and returns 409 if another item has it', async () => {
  const put = (slug: unknown) =>
    app.rest('PUT', `/v1/admin/news/${uuids.draft}`, app.platform, { payload: { title: 'Draft', slug } });
  const slugAfter = async (slug: unknown) => (await put(slug)).body.result?.slug;
  const conflict = await put('plain');
  expect({
    taken: { status: conflict.status, message: conflict.body.Message },
    renamed: await slugAfter('renamed-cafe\u0301'),
    empty: await slugAfter(''),
    null: await slugAfter(null),
    same: await slugAfter('renamed-caf\u00e9'),
    readBySlug: (await app.rest('GET', '/v1/data/news/renamed-caf%C3%A9', reader)).status,
    readByOldSlug: (await app.rest('GET', '/v1/data/news/draft', reader)).status,
  }).toEqual({
    taken: { status: 409, message: 'another newsItem has the same slug' },
    renamed: 'renamed-caf\u00e9',
    empty: 'renamed-caf\u00e9',
    null: 'renamed-caf\u00e9',
    same: 'renamed-caf\u00e9',
    readBySlug: 200,
    readByOldSlug: 404,
  });
});

test('news without a schedule count only toward the totals of the plain list and of inactive news', async () => {
  const totalOf = async (query: string) =>
    (await app.rest('GET', `/v1/data/news?news_uuids=${uuids.draft}${query}`, app.platform)).body.totalRecords;
  expect({
    plain: await totalOf(''),
    site: await totalOf('&show_on_site=true'),
    homepage: await totalOf('&show_on_homepage=true'),
    active: await totalOf('&status=active'),
    inactive: await totalOf('&status=inactive'),
  }).toEqual({ plain: '1', site: '0', homepage: '0', active: '0', inactive: '1' });
});

test('an item is archived when its dateArchived is reached, even for a client that polls with an ETag', async () => {
  const payload = { title: 'Short life', dateStartShowOnSite: past, dateArchived: days(1) };
  const { uuid } = (await app.rest('POST', '/v1/admin/news', app.platform, { payload })).body.result;
  const poll = async (etag: string | null) => {
    const response = await fetch(`${app.origin}/v1/data/news?news_uuids=${uuid}&status=archived`, {
      headers: { 'PB-API-TOKEN': app.platform.platform, ...(etag && { 'If-None-Match': etag }) },
    });
    return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
  };
  const first = await poll(null);
  const same = await poll(first.etag);
  await app.sql.rows(`update news_item set archived_at = clock_timestamp() + interval '300 milliseconds' where id = $1`, [uuid]);
  const before = await poll(first.etag);
  await expect.poll(async () => (await poll(first.etag)).status, { interval: 50, timeout: 5_000 }).toBe(200);
  expect({ same: same.status, before: before.status, total: JSON.parse(first.text).totalRecords }).toEqual({
    same: 304,
    before: 304,
    total: '0',
  });
  await app.sql.rows('delete from news_item where id = $1', [uuid]);
});

test('a POST creates a new item with a new uuid, and ignores the uuid of its payload', async () => {
  const post = async (uuid: string | undefined): Promise<string> => {
    const payload = { uuid, title: 'Not that one' };
    return (await app.rest('POST', '/v1/admin/news', app.platform, { payload })).body.result.uuid;
  };
  const withExistingUuid = await post(uuids.home);
  const withUnknownUuid = await post('of my own');
  const { body } = await app.rest('GET', '/v1/data/news/home', app.platform);
  const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect({ withExistingUuid, withUnknownUuid, titleOfExistingItem: body.result.title }).toEqual({
    withExistingUuid: uuid,
    withUnknownUuid: uuid,
    titleOfExistingItem: 'On the home page',
  });
  expect(withExistingUuid).not.toBe(uuids.home);
  await app.sql.rows('delete from news_item where id = any($1)', [[withExistingUuid, withUnknownUuid]]);
});

test('createNewsItem rejects the ID of an existing item', async () => {
  const { errors } = await app.graphql('mutation ($id: ID) { createNewsItem(input: { id: $id }) { id } }', { id: uuids.home });
  expect(errors).toEqual(['CONFLICT: another newsItem has the same id']);
});

test('platforms, and users with a news permission, change news', async () => {
  const put = async (tokens: Tokens) =>
    (await app.rest('PUT', `/v1/admin/news/${uuids.soon}`, tokens, { payload: { title: 'Soon' } })).status;
  const putAs = async (role: string) => put({ user: (await app.person({ roles: [role] })).user });
  expect({
    platform: await put(app.platform),
    superAdmin: await put({ user: (await app.person({ isSuperAdmin: true })).user }),
    platformWithUser: await put({ ...app.platform, user: reader.user }),
    userWithoutRole: await put({ user: reader.user }),
    anonymous: await put({}),
    NEWS_CREATOR: await putAs('NEWS_CREATOR'),
    NEWS_ADMIN: await putAs('NEWS_ADMIN'),
    ADMIN: await putAs('ADMIN'),
    CONTENT_CREATOR: await putAs('CONTENT_CREATOR'),
    REFEREE: await putAs('REFEREE'),
  }).toEqual({
    platform: 200,
    superAdmin: 200,
    platformWithUser: 200,
    userWithoutRole: 403,
    anonymous: 401,
    NEWS_CREATOR: 200,
    NEWS_ADMIN: 200,
    ADMIN: 200,
    CONTENT_CREATOR: 403,
    REFEREE: 403,
  });
});

test('a page of news outlets has at most 25 records', async () => {
  await app.sql.rows("insert into news_outlet (id, title) select 'o' || i, 'Paper ' || i from generate_series(1, 30) i");
  const { body } = await app.rest('GET', '/v1/data/news_outlet?page_size=100&current_page=2', app.platform);
  expect({ total: body.total_records, count: body.results.length, first: body.results[0].uuid }).toEqual({
    total: '30',
    count: 25,
    first: 'o28',
  });
});

describe('categories', () => {
  const payload = { title: 'Juniors', is_news: true };
  const statusOf = async (method: string, path: string, tokens: Tokens, body?: object) =>
    (await app.rest(method, path, tokens, body)).status;

  test('can be changed by users with a permission and read by every user, but not by platforms', async () => {
    expect({
      post: await statusOf('POST', '/v1/categories', reader, { payload }),
      put: await statusOf('PUT', '/v1/categories/1', reader, { payload }),
      delete: await statusOf('DELETE', '/v1/categories/1', reader),
      postByPlatform: await statusOf('POST', '/v1/categories', app.platform, { payload }),
      getByPlatform: await statusOf('GET', '/v1/data/categories/1', app.platform),
      get: await statusOf('GET', '/v1/data/categories/1', reader),
    }).toEqual({ post: 403, put: 403, delete: 403, postByPlatform: 401, getByPlatform: 401, get: 200 });
  });

  test('get the next number that is free', async () => {
    await app.sql.rows("insert into category (id, title) values ('17', 'Taken')");
    const ids = [];
    for (let count = 0; count < 2; count++)
      ids.push((await app.rest('POST', '/v1/categories', editor, { payload })).body.result.id);
    expect(ids).toEqual(['16', '18']);
  });

  test('that do not exist return 404', async () => {
    expect({
      put: await statusOf('PUT', '/v1/categories/none', editor, { payload }),
      delete: await statusOf('DELETE', '/v1/categories/none', editor),
      get: await statusOf('GET', '/v1/data/categories/none', editor),
    }).toEqual({ put: 404, delete: 404, get: 404 });
  });

  test.each([
    ['?is_news=false', '6'],
    ['?is_instructional_video=true&is_news=1', '3'],
    ['?is_active=false&is_news=true', '1'],
  ])('GET /v1/data/lookup_categories%s', async (query, total) => {
    await app.sql.rows('delete from category where id::int > 15');
    expect((await app.rest('GET', `/v1/data/lookup_categories${query}`, app.platform)).body.totalRecords).toBe(total);
  });
});
