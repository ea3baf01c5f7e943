import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockedSessions } from '../../support/checks/blocked-sessions.js';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

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
  const { newsItemBySlug } = await app.graphql(`{ newsItemBySlug(slug: "finals") {
    lifecycle siteSchedule { from until } links { details video } categoryIds
    outlet { title news { totalCount } } author { firstName news { nodes { id } } } categories { id title }
  } }`);
  expect(newsItemBySlug).toEqual({
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

test('categories with news and their categories take a constant number of statements', async () => {
  const query = `query ($first: Int!) { categories(first: $first, filter: { isNews: true }) { nodes { title news(first: 2) { totalCount nodes { id lifecycle categories { id } } } } } }`;
  const read = (first: number) => app.graphql(query, { first });
  const statements = (first: number) => statementsOf(app, () => read(first));
  for (let item = 0; item < 8; item++) await create({ id: `sorted-${item}`, categoryIds: [`${(item % 4) + 1}`, '3'] });
  const fewStatements = await read(2);
  const many = await read(8);
  expect({ few: fewStatements.categories.nodes.length, many: many.categories.nodes.length }).toEqual({ few: 2, many: 8 });
  expect(await statements(8)).toBe(await statements(2));
});

test('news items of a category are filtered, ordered and counted', async () => {
  for (const [index, title] of ['b', 'a', 'c'].entries()) await create({ id: `order-${index}`, title, categoryIds: ['8'] });
  await create({ id: 'order-3', title: 'd', categoryIds: ['7'] });
  const { category } = await app.graphql(
    '{ category(id: "8") { news(first: 1, offset: 1, orderBy: [{ field: TITLE }], filter: { title: { ne: "c" } }) { totalCount pageInfo { hasNextPage } nodes { title } } } }',
  );
  expect(category.news).toEqual({ totalCount: 2, pageInfo: { hasNextPage: false }, nodes: [{ title: 'b' }] });
});

test('the lifecycle follows the site schedule and archivedAt, in the field and in the filter', async () => {
  const [past, future] = ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'];
  await create({ id: 'life-draft' });
  await create({ id: 'life-now', siteSchedule: { from: past, until: future } });
  await create({ id: 'life-before', siteSchedule: { from: future } });
  await create({ id: 'life-after', siteSchedule: { until: past } });
  await create({ id: 'life-archived', siteSchedule: { from: past }, archivedAt: past });
  await create({ id: 'life-archived-later', siteSchedule: { from: past }, archivedAt: future });
  const answer = await app.graphql(`{
    all: news(filter: { id: { in: ["life-draft", "life-archived-later", "life-now", "life-before", "life-after", "life-archived"] } }, orderBy: [{ field: ID }]) { nodes { id lifecycle } }
    inactive: news(filter: { lifecycle: { eq: INACTIVE }, id: { in: ["life-draft", "life-now", "life-before", "life-after"] } }, orderBy: [{ field: ID }]) { nodes { id } }
  }`);
  expect(answer).toEqual({
    all: {
      nodes: [
        { id: 'life-after', lifecycle: 'INACTIVE' },
        { id: 'life-archived', lifecycle: 'ARCHIVED' },
        { id: 'life-archived-later', lifecycle: 'ACTIVE' },
        { id: 'life-before', lifecycle: 'INACTIVE' },
        { id: 'life-draft', lifecycle: 'INACTIVE' },
        { id: 'life-now', lifecycle: 'ACTIVE' },
      ],
    },
    inactive: { nodes: [{ id: 'life-after' }, { id: 'life-before' }, { id: 'life-draft' }] },
  });
});

test('concurrently created news items with the same title get distinct slugs', async () => {
  const newsItems = await Promise.all(Array.from({ length: 20 }, () => create({ title: 'Élan & Co.' })));
  const slugs = new Set<string>(newsItems.map(({ slug }) => slug));
  const wrongSlugs = [...slugs].filter((slug) => !/^elan-and-co(-\d+)?$/.test(slug));
  expect({ distinct: slugs.size, hasPlainSlug: slugs.has('elan-and-co'), wrongSlugs }).toEqual({
    distinct: 20,
    hasPlainSlug: true,
    wrongSlugs: [],
  });
});

test.each([
  [{ title: '手球' }, /^news-\d+$/],
  [{ title: 'Asked', slug: 'Mine / for ever' }, /^Mine \/ for ever$/],
  [{ title: 'Asked again', slug: 'Mine / for ever' }, /^Mine \/ for ever-2$/],
])('the slug of %o matches %s', async (input, slug) => expect((await create(input)).slug).toMatch(slug));

test('a news creator may update news, and a user without that role cannot', async () => {
  const update = async (tokens: Person) =>
    (
      await app.graphql(
        'mutation { updateNewsItem(id: "life-draft", input: { title: "New", slug: "new" }) { title slug } }',
        {},
        tokens,
      )
    ).updateNewsItem?.title ?? 'refused';
  expect({ newsCreator: await update(editor), reader: await update(reader) }).toEqual({
    newsCreator: 'New',
    reader: 'refused',
  });
});

test('only one of two equal, concurrent updates of a category reports a change', async () => {
  const update = () =>
    app.graphql(
      'mutation { updateCategory(id: "5", input: { title: "Clubs and courts" }) { isChanged category { title isNews } } }',
      {},
      editor,
    );
  const updates = await app.sql.transaction(async () => {
    await app.sql.rows(`select from category where id = '5' for update`);
    const pendingUpdates = [update(), update()];
    await expect.poll(() => blockedSessions(app.sql), { interval: 5 }).toBeGreaterThanOrEqual(2);
    return pendingUpdates;
  });
  const answers = (await Promise.all(updates)).map(({ updateCategory }) => updateCategory);
  expect({ isChanged: answers.map(({ isChanged }) => isChanged).sort(), category: answers[0].category }).toEqual({
    isChanged: [false, true],
    category: { title: 'Clubs and courts', isNews: true },
  });
});

test('updatedBy and updatedAt of a category change only with an update that changes a value', async () => {
  const update = async (input: object) => {
    const answer = await app.graphql(
      'mutation ($input: CategoryInput!) { updateCategory(id: "3", input: $input) { isChanged category { id title createdBy createdAt updatedBy updatedAt } } }',
      { input },
      editor,
    );
    return answer.updateCategory;
  };
  const title = `It's \\ "new" :x ? $1 ${'é'.normalize('NFD')}`;
  const before = (await app.graphql('{ category(id: "3") { createdBy createdAt updatedAt } }')).category;
  const changed = await update({ title });
  const category = { ...before, id: '3', title, updatedBy: 'Ines Lopez', updatedAt: changed.category.updatedAt };
  expect({ changed, repeated: await update({ title, id: '3' }) }).toEqual({
    changed: { isChanged: true, category },
    repeated: { isChanged: false, category },
  });
  expect(category.updatedAt > before.updatedAt).toBe(true);
});

test('rejects an update of a category if the input has another ID', async () => {
  const { errors } = await app.graphql('mutation { updateCategory(id: "3", input: { id: "4" }) { isChanged } }', {}, editor);
  expect(errors).toEqual(['BAD_INPUT: input.id: expected the same id as the argument, or none']);
});
