import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
let editor: Person;
let reader: Person;
beforeAll(async () => {
  app = await startApp();
  editor = await app.person({ firstName: 'Ines', roles: ['NEWS_CREATOR'] });
  reader = await app.person();
});
afterAll(() => app.close());

const create = async (input: object) =>
  (await app.graphql('mutation ($input: NewsItemInput!) { createNewsItem(input: $input) { id slug } }', { input }))
    .createNewsItem;

test('a news item shows its outlet, author, categories, schedules and lifecycle', async () => {
  await app.graphql('mutation { createNewsOutlet(input: { id: "weekly", title: "Paddle Weekly" }) { id } }');
  await create({
    id: 'whole',
    title: 'Finals',
    outletId: 'weekly',
    authorId: editor.id,
    categoryIds: ['2', 'gone', '1', '2'],
    siteSchedule: { from: '2020-01-01T00:00:00Z' },
    links: { details: 'https://example.com' },
  });
  const seen = await app.graphql(`{ newsItemBySlug(slug: "finals") {
    lifecycle siteSchedule { from until } links { details video } categoryIds
    outlet { title news { totalCount } } author { firstName news { nodes { id } } } categories { id title }
  } }`);
  expect(seen.newsItemBySlug).toEqual({
    lifecycle: 'ACTIVE',
    siteSchedule: { from: '2020-01-01T00:00:00Z', until: null },
    links: { details: 'https://example.com', video: null },
    categoryIds: ['2', 'gone', '1', '2'],
    outlet: { title: 'Paddle Weekly', news: { totalCount: 1 } },
    author: { firstName: 'Ines', news: { nodes: [{ id: 'whole' }] } },
    categories: [
      { id: '2', title: 'Players' },
      { id: '1', title: 'Tournaments' },
    ],
  });
});

test('categories with their news, and news with their categories and lifecycles, take a constant number of statements', async () => {
  const query = `query ($first: Int!) { categories(first: $first, filter: { isNews: true }) { nodes { title news(first: 2) { totalCount nodes { id lifecycle categories { id } } } } } }`;
  const seen = (first: number) => app.graphql(query, { first });
  const statements = (first: number) => statementsOf(app, () => seen(first));
  for (let item = 0; item < 8; item++) await create({ id: `sorted-${item}`, categoryIds: [`${(item % 4) + 1}`, '3'] });
  const [few, many] = [await seen(2), await seen(8)];
  expect([few.categories.nodes.length, many.categories.nodes.length, await statements(8)]).toEqual([2, 8, await statements(2)]);
});

test('news of a category are filtered, ordered and counted', async () => {
  for (const [id, title] of ['b', 'a', 'c'].entries()) await create({ id: `order-${id}`, title, categoryIds: ['8'] });
  await create({ id: 'order-3', title: 'd', categoryIds: ['7'] });
  const { category } = await app.graphql(
    '{ category(id: "8") { news(first: 1, offset: 1, orderBy: [{ field: TITLE }], filter: { title: { ne: "c" } }) { totalCount pageInfo { hasNextPage } nodes { title } } } }',
  );
  expect(category.news).toEqual({ totalCount: 2, pageInfo: { hasNextPage: false }, nodes: [{ title: 'b' }] });
});

test('lifecycles are as the clock and the archive say, in the field and in the filter', async () => {
  const [past, ahead] = ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'];
  await create({ id: 'life-open' });
  await create({ id: 'life-now', siteSchedule: { from: past, until: ahead } });
  await create({ id: 'life-before', siteSchedule: { from: ahead } });
  await create({ id: 'life-after', siteSchedule: { until: past } });
  await create({ id: 'life-archived', siteSchedule: { from: past }, archivedAt: ahead });
  const seen = await app.graphql(`{
    all: news(filter: { id: { in: ["life-open", "life-now", "life-before", "life-after", "life-archived"] } }, orderBy: [{ field: ID }]) { nodes { id lifecycle } }
    inactive: news(filter: { lifecycle: { eq: INACTIVE } }) { nodes { id } }
  }`);
  expect(seen).toEqual({
    all: {
      nodes: [
        { id: 'life-after', lifecycle: 'INACTIVE' },
        { id: 'life-archived', lifecycle: 'ARCHIVED' },
        { id: 'life-before', lifecycle: 'INACTIVE' },
        { id: 'life-now', lifecycle: 'ACTIVE' },
        { id: 'life-open', lifecycle: 'ACTIVE' },
      ],
    },
    inactive: { nodes: [{ id: 'life-after' }, { id: 'life-before' }] },
  });
});

test('equal titles at the same moment get slugs of their own', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => create({ title: 'Élan & Co.' })));
  const slugs = new Set(made.map(({ slug }: { slug: string }) => slug));
  expect([slugs.size, slugs.has('elan-and-co'), [...slugs].every((slug) => /^elan-and-co(-\d+)?$/.test(slug))]).toEqual([
    20,
    true,
    true,
  ]);
});

test.each([
  [{ title: '手球' }, /^news-\d+$/],
  [{ title: 'Asked', slug: 'Mine / for ever' }, /^Mine \/ for ever$/],
  [{ title: 'Asked again', slug: 'Mine / for ever' }, /^Mine \/ for ever-2$/],
])('the slug of %o is like %s', async (input, slug) => expect((await create(input)).slug).toMatch(slug));

test('only platforms and news creators write news', async () => {
  const write = async (tokens: Person) =>
    (
      await app.graphql(
        'mutation { updateNewsItem(id: "life-open", input: { title: "New", slug: "new" }) { title slug } }',
        {},
        tokens,
      )
    ).updateNewsItem?.title ?? 'refused';
  expect([await write(editor), await write(reader)]).toEqual(['New', 'refused']);
});

test('of equal updates of a category at the same moment one changes it', async () => {
  const update = () =>
    app.graphql(
      'mutation { updateCategory(id: "5", input: { title: "Clubs and courts" }) { isChanged category { title isNews } } }',
      {},
      editor,
    );
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const sent = await app.sql.transaction(async () => {
    await app.sql.rows(`select from category where id = '5' for update`);
    const updates = [update(), update()];
    while (Number((await app.sql.row(waiting))?.n) < updates.length) {
      await sleep(5);
      // Within a transaction the server looks at its processes only once.
      await app.sql.rows('select pg_stat_clear_snapshot()');
    }
    return { updates };
  });
  const answers = (await Promise.all(sent.updates)).map(({ updateCategory }) => updateCategory);
  expect([answers.map(({ isChanged }) => isChanged).sort(), answers[0].category]).toEqual([
    [false, true],
    { title: 'Clubs and courts', isNews: true },
  ]);
});

test('an update that changes a category tells who did it, and when; one that does not leaves both', async () => {
  const update = async (input: object) => {
    const answer = await app.graphql(
      'mutation ($input: CategoryInput!) { updateCategory(id: "3", input: $input) { isChanged category { id title createdBy createdAt updatedBy updatedAt } } }',
      { input },
      editor,
    );
    return answer.errors ?? answer.updateCategory;
  };
  const title = `It's \\ "new" :x ? $1 ${'é'.normalize('NFD')}`;
  const before = (await app.graphql('{ category(id: "3") { createdBy createdAt updatedAt } }')).category;
  const changed = await update({ title });
  const category = { ...before, id: '3', title, updatedBy: 'Ines Lopez', updatedAt: changed.category.updatedAt };
  expect([changed, await update({ title, id: '3' }), await update({ id: '4' })]).toEqual([
    { isChanged: true, category },
    { isChanged: false, category },
    ['BAD_INPUT: input.id: expected the id of the argument, or none'],
  ]);
  expect(category.updatedAt > before.updatedAt).toBe(true);
});
