import {
  bare,
  body,
  combined,
  created,
  custom,
  either,
  empty,
  list,
  noContent,
  page,
  path,
  payload,
  payloadOf,
  platform,
  query,
  result,
  routes,
  user,
} from '../engine/index.js';
import { category, categoryLookup, news, newsOutlet, newsRead } from '../records/news.js';

const directions = { asc: 'ASC', desc: 'DESC', ascending: 'ASC', descending: 'DESC' };

/** Returns a reader of a query parameter that orders a list by a field. */
const orderBy = (field: string, parameter: string) =>
  combined((direction) => direction && { field, direction }, query.oneOf(parameter, directions));

/** Requested sort order. Undefined for the default order. */
const newsOrder = combined(
  (...optionalOrders) => {
    const orders = optionalOrders.filter((order) => order !== undefined);
    return orders.length ? orders : undefined;
  },
  orderBy('SITE_SCHEDULE_FROM', 'start_show_on_site'),
  orderBy('SITE_SCHEDULE_UNTIL', 'end_show_on_site'),
  orderBy('HOMEPAGE_SCHEDULE_FROM', 'start_show_on_homepage'),
  orderBy('HOMEPAGE_SCHEDULE_UNTIL', 'end_show_on_homepage'),
  orderBy('PUBLISHED_AT', 'publish_date_displayed'),
);

const onlyTrue = combined((featured) => featured && true, query.oneOf('featured', ['true', '1']));
const categoryId = combined((number) => number?.toString(), query.int('category_id', { min: 0 }));

/** News, their outlets and their categories (sections 4.4 and 4.18). */
export const newsRoutes = routes({
  'GET /v1/data/lookup_categories': {
    auth: either,
    args: {
      filter: {
        isNews: query.bool('is_news'),
        isInstructionalVideo: query.bool('is_instructional_video'),
        isEnabled: query.bool('is_active'),
      },
      orderBy: combined((order) => order && [order], orderBy('TITLE', 'display_order')),
    },
    operation: `query ($filter: CategoryFilter, $orderBy: [CategoryOrder!]) {
      categories(filter: $filter, orderBy: $orderBy) { totalCount nodes { ...CategoryLookup } }
    }`,
    reply: list(categoryLookup, { total: 'totalRecords' }),
    hasETag: true,
    summary: 'List categories of news and instructional videos.',
  },
  'POST /v1/categories': {
    auth: user,
    args: { input: payload(category) },
    operation: 'mutation ($input: CategoryInput!) { createCategory(input: $input) { ...Category } }',
    reply: created(result(category)),
    summary: 'Create a category. Requires the permission NEWS_CREATOR.',
  },
  'PUT /v1/categories/{id}': {
    auth: user,
    args: { input: payload(category) },
    operation: 'mutation ($id: ID!, $input: CategoryInput!) { updateCategory(id: $id, input: $input) { isChanged } }',
    reply: custom<{ isChanged: boolean }>(({ isChanged }) => (isChanged ? { body: {} } : { status: 304 }), {
      schema: { type: ['object', 'null'], additionalProperties: false },
    }),
    summary: 'Update a category. Returns 304 if nothing changes. Requires the permission NEWS_CREATOR.',
  },
  'DELETE /v1/categories/{id}': {
    auth: user,
    operation: 'mutation ($id: ID!) { deleteCategory(id: $id) { id } }',
    reply: noContent,
    summary: 'Delete a category. Requires the permission NEWS_CREATOR.',
  },
  'GET /v1/data/categories/{id}': {
    auth: user,
    operation: 'query ($id: ID!) { category(id: $id) { ...Category } }',
    reply: bare(category),
    summary: 'Get a category.',
  },

  'POST /v1/admin/news': {
    auth: platform,
    args: { input: payload(news) },
    operation: 'mutation ($input: NewsItemInput!) { createNewsItem(input: $input) { ...News } }',
    reply: result(news),
    summary: 'Create a news item.',
  },
  'GET /v1/data/news': {
    auth: either,
    args: {
      filter: {
        isOnHomepage: query.flag('show_on_homepage'),
        isOnSite: query.flag('show_on_site'),
        isFeatured: onlyTrue,
        id: { in: query.list('news_uuids') },
        title: { contains: query('title') },
        lifecycle: { eq: query.oneOf('status', { active: 'ACTIVE', inactive: 'INACTIVE', archived: 'ARCHIVED' }) },
        categoryIds: { has: categoryId },
      },
      orderBy: newsOrder,
      ...page(),
    },
    operation:
      'query ($filter: NewsItemFilter, $orderBy: [NewsItemOrder!]) { news(filter: $filter, orderBy: $orderBy) { totalCount nodes { ...NewsRead } } }',
    reply: list(newsRead, { total: 'totalRecords' }),
    summary: 'List news. Default order: newest first.',
  },
  'GET /v1/data/news/{slug}': {
    auth: either,
    operation: 'query ($slug: String!) { newsItemBySlug(slug: $slug) { ...NewsRead } }',
    reply: result(newsRead),
    summary: 'Get a news item by its slug.',
  },
  'PUT /v1/admin/news/{uuid}': {
    auth: either,
    args: { input: payload(news, { byPath: true }) },
    operation: 'mutation ($uuid: ID!, $input: NewsItemInput!) { updateNewsItem(id: $uuid, input: $input) { ...News } }',
    reply: result(news),
    summary: 'Update a news item. Users need the permission NEWS_CREATOR, NEWS_ADMIN or ADMIN.',
  },
  'DELETE /v1/admin/news/{uuid}': {
    auth: platform,
    operation: 'mutation ($uuid: ID!) { deleteNewsItem(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a news item.',
  },

  'POST /v1/admin/news_outlet': {
    auth: platform,
    args: { input: body(newsOutlet) },
    operation: 'mutation ($input: NewsOutletInput!) { createNewsOutlet(input: $input) { ...NewsOutlet } }',
    reply: payloadOf(newsOutlet),
    summary: 'Create a news outlet.',
  },
  'GET /v1/data/news_outlet/{uuid}': {
    auth: platform,
    operation: 'query ($uuid: ID!) { newsOutlet(id: $uuid) { ...NewsOutlet } }',
    reply: payloadOf(newsOutlet),
    summary: 'Get a news outlet.',
  },
  'GET /v1/data/news_outlet': {
    auth: platform,
    args: { filter: { title: { contains: query('search') } }, ...page({ clampedTo: 25 }) },
    operation: 'query ($filter: NewsOutletFilter) { newsOutlets(filter: $filter) { totalCount nodes { ...NewsOutlet } } }',
    reply: list(newsOutlet, { total: 'total_records' }),
    summary: 'List news outlets, newest first.',
  },
  'PUT /v1/admin/news_outlet/{uuid}': {
    auth: platform,
    args: { id: path('uuid'), input: body(newsOutlet, { byPath: true }) },
    operation: 'mutation ($id: ID!, $input: NewsOutletInput!) { updateNewsOutlet(id: $id, input: $input) { ...NewsOutlet } }',
    reply: payloadOf(newsOutlet),
    summary: 'Update a news outlet.',
  },
  'DELETE /v1/admin/news_outlet/{uuid}': {
    auth: platform,
    operation: 'mutation ($uuid: ID!) { deleteNewsOutlet(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a news outlet.',
  },
});
