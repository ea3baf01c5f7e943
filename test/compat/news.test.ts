import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let editor: Person;
let reader: Person;
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
const [past, ahead] = [days(-2), days(2)];

/** What each of the list's parameters must tell apart. */
const items: Record<string, object> = {
  plain: { title: 'Plain', categoriesIds: ['3'] },
  home: { title: 'On the home page', dateStartShowOnHomepage: past, dateEndShowOnHomepage: ahead },
  soon: { title: 'Soon', dateStartShowOnSite: days(1), dateStartShowOnHomepage: ahead, dateStartShowOnFeatured: ahead },
  over: { title: 'Over', dateEndShowOnSite: past, dateEndShowOnHomepage: days(-1), publishDateDisplayed: days(-9) },
  starred: { title: 'Starred', dateStartShowOnFeatured: past, dateStartShowOnSite: past, publishDateDisplayed: days(-5) },
  filed: { title: 'Filed away', dateArchived: past, categoriesIds: ['3', '1'] },
};

beforeAll(async () => {
  app = await startApp();
  editor = await app.person({ roles: ['NEWS_CREATOR'] });
  reader = await app.person();
  for (const [index, [uuid, item]] of Object.entries(items).entries()) {
    const dateCreated = `2026-01-0${index + 1}T00:00:00Z`;
    const { status } = await app.rest('POST', '/v1/admin/news', app.platform, { payload: { uuid, dateCreated, ...item } });
    expect(status).toBe(200);
  }
});
afterAll(() => app.close());

const listed = async (query: string) => {
  const { status, body } = await app.rest('GET', `/v1/data/news${query}`, reader);
  return status === 200 ? body.results.map(({ uuid }: { uuid: string }) => uuid).join(' ') : body.Message;
};

test.each([
  ['', 'filed starred over soon home plain'],
  ['?page_size=2', 'filed starred'],
  ['?page_size=2&current_page=4', 'home plain'],
  ['?show_on_homepage=true', 'home'],
  ['?show_on_homepage=false&page_size=1', 'filed'],
  ['?show_on_site=true', 'filed starred home plain'],
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
  ['?start_show_on_site=desc', 'soon starred filed home over plain'.split(' ').join(' ')],
  ['?start_show_on_homepage=asc&news_uuids=home,soon,over', 'home soon over'],
  ['?end_show_on_homepage=desc&news_uuids=home,soon,over', 'home over soon'],
  ['?end_show_on_site=asc&news_uuids=home,over', 'over home'],
  ['?publish_date_displayed=desc&news_uuids=home,over,starred', 'starred over home'],
  ['?publish_date_displayed=up', 'publish_date_displayed: expected one of asc, desc, ascending, descending'],
])('GET /v1/data/news%s', async (query, expected) => expect(await listed(query)).toBe(expected));

test('a slug stays when the title changes, and the path says which item a PUT changes', async () => {
  const payload = { uuid: 'over', title: 'Quite plain', slug: 'other', newsAuthorUuid: editor.id };
  const { body } = await app.rest('PUT', '/v1/admin/news/plain', app.platform, { payload });
  const { uuid, slug, title, newsAuthorUuid, dateCreated } = body.result;
  expect([uuid, slug, title, newsAuthorUuid, dateCreated]).toEqual([
    'plain',
    'plain',
    'Quite plain',
    editor.id,
    '2026-01-01T00:00:00Z',
  ]);
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
