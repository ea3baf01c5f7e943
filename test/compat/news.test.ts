import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let editor: Person;
let reader: Person;
const started = Date.now();
const days = (count: number) => new Date(started + count * 86_400_000).toISOString();
const [past, ahead] = [days(-2), days(2)];

/** What each of the list's parameters must tell apart. */
const items: Record<string, object> = {
  plain: { title: 'Plain', categoriesIds: ['3'] },
  home: { title: 'On the home page', dateStartShowOnHomepage: past, dateEndShowOnHomepage: ahead },
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
/** The uuids that the server gave, by slug. */
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

const listed = async (query: string) => {
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
  ['', 'filed starred over soon home plain'],
  ['?page_size=2', 'filed starred'],
  ['?page_size=2&current_page=4', 'home plain'],
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
  ['?status=inactive', 'over soon'],
  ['?status=archived', 'filed'],
  ['?status=lost', 'status: expected one of active, inactive, archived'],
  ['?category_id=3', 'filed plain'],
  ['?category_id=three', 'category_id: expected a number'],
  ['?start_show_on_site=desc', 'soon starred filed plain home over'],
  ['?start_show_on_homepage=asc&news_uuids=home,soon,over', 'home soon over'],
  ['?end_show_on_homepage=desc&news_uuids=home,soon,over', 'home over soon'],
  ['?end_show_on_site=asc&news_uuids=home,over', 'over home'],
  ['?publish_date_displayed=desc&news_uuids=home,over,starred', 'starred over home'],
  ['?publish_date_displayed=up', 'publish_date_displayed: expected one of asc, desc, ascending, descending'],
])('GET /v1/data/news%s', async (query, expected) => expect(await listed(query)).toBe(expected));

test('a slug stays when the title changes, and the path says which item a PUT changes', async () => {
  const payload = { uuid: uuids.over, title: 'Quite plain', slug: 'other', newsAuthorUuid: editor.id };
  const { body } = await app.rest('PUT', `/v1/admin/news/${uuids.plain}`, app.platform, { payload });
  const { uuid, slug, title, newsAuthorUuid, dateCreated } = body.result;
  expect([uuid, slug, title, newsAuthorUuid, dateCreated]).toEqual([
    uuids.plain,
    'plain',
    'Quite plain',
    editor.id,
    '2026-01-01T00:00:00Z',
  ]);
});

test('a new item gets a new uuid, whatever uuid is sent; in the graph a taken id is a conflict', async () => {
  const payload = { uuid: uuids.home, title: 'Not that one' };
  const posted = await app.rest('POST', '/v1/admin/news', app.platform, { payload });
  const twice = await app.rest('POST', '/v1/admin/news', app.platform, { payload: { ...payload, uuid: 'of my own' } });
  const created = await app.graphql('mutation ($id: ID) { createNewsItem(input: { id: $id }) { id } }', { id: uuids.home });
  const given = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const { body } = await app.rest('GET', '/v1/data/news/home', app.platform);
  expect([posted.body.result.uuid, twice.body.result.uuid, body.result.title, created.errors]).toEqual([
    given,
    given,
    'On the home page',
    ['CONFLICT: another newsItem has the same id'],
  ]);
  expect(posted.body.result.uuid).not.toBe(uuids.home);
  await app.sql.rows('delete from news_item where id = any($1)', [[posted.body.result.uuid, twice.body.result.uuid]]);
});

test('users change news with a permission for it, beside platforms', async () => {
  const put = async (tokens: Tokens) =>
    (await app.rest('PUT', `/v1/admin/news/${uuids.soon}`, tokens, { payload: { title: 'Soon' } })).status;
  const withRoles = [];
  for (const role of ['NEWS_CREATOR', 'NEWS_ADMIN', 'ADMIN', 'CONTENT_CREATOR', 'REFEREE'])
    withRoles.push(await put({ user: (await app.person({ roles: [role] })).user }));
  expect([
    await put(app.platform),
    await put({ user: (await app.person({ isSuperAdmin: true })).user }),
    await put({ ...app.platform, user: reader.user }),
    await put({ user: reader.user }),
    await put({}),
    ...withRoles,
  ]).toEqual([200, 200, 200, 403, 401, 200, 200, 200, 403, 403]);
});

test('outlets come in pages of at most 25', async () => {
  await app.sql.rows("insert into news_outlet (id, title) select 'o' || i, 'Paper ' || i from generate_series(1, 30) i");
  const { body } = await app.rest('GET', '/v1/data/news_outlet?page_size=100&current_page=2', app.platform);
  expect([body.total_records, body.results.length, body.results[0].uuid]).toEqual(['30', 25, 'o28']);
});

describe('categories', () => {
  const payload = { title: 'Juniors', is_news: true };

  test('need the permission', async () => {
    const answers = [
      await app.rest('POST', '/v1/categories', reader, { payload }),
      await app.rest('PUT', '/v1/categories/1', reader, { payload }),
      await app.rest('DELETE', '/v1/categories/1', reader),
      await app.rest('POST', '/v1/categories', app.platform, { payload }),
      await app.rest('GET', '/v1/data/categories/1', app.platform),
      await app.rest('GET', '/v1/data/categories/1', reader),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 200]);
  });

  test('are numbered, whoever took a number before', async () => {
    await app.sql.rows("insert into category (id, title) values ('17', 'Taken')");
    const ids = [];
    for (let count = 0; count < 2; count++)
      ids.push((await app.rest('POST', '/v1/categories', editor, { payload })).body.result.id);
    expect(ids).toEqual(['16', '18']);
  });

  test('that are not there are 404', async () => {
    const answers = [
      await app.rest('PUT', '/v1/categories/none', editor, { payload }),
      await app.rest('DELETE', '/v1/categories/none', editor),
      await app.rest('GET', '/v1/data/categories/none', editor),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
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
