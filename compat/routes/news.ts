import {
  body,
  computedFrom,
  created,
  custom,
  declareRoutes,
  list,
  noContent,
  page,
  path,
  payload,
  payloadOf,
  platform,
  platformOrUser,
  query,
  recordAlone,
  result,
  user,
} from '../engine/index.js';
import { category, categoryLookup, news, newsOutlet, newsWithOutlet } from '../records/news.js';
import { createRoute, deleteRoute, getRoute, listRoute, updateRoute } from './record-routes.js';

const directions = { asc: 'ASC', desc: 'DESC', ascending: 'ASC', descending: 'DESC' };

/** Returns a reader for a query parameter that sorts a list by a GraphQL field. */
const orderBy = (field: string, parameter: string) =>
  computedFrom((direction) => direction && { field, direction }, query.oneOf(parameter, directions));

/** Requested sort order. Undefined for the default order. */
const newsOrder = computedFrom(
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

const featuredOnly = computedFrom((featured) => featured && true, query.oneOf('featured', ['true', '1']));
const categoryId = computedFrom((number) => number?.toString(), query.int('category_id', { min: 0 }));

/** Routes for news, their outlets and their categories (sections 4.4 and 4.18). */
export const newsRoutes = declareRoutes({
  'GET /v1/data/lookup_categories': {
    auth: platformOrUser,
    args: {
      filter: {
        isNews: query.bool('is_news'),
        isInstructionalVideo: query.bool('is_instructional_video'),
        isEnabled: query.bool('is_active'),
      },
      orderBy: computedFrom((order) => order && [order], orderBy('TITLE', 'display_order')),
    },
    operation: `query ($filter: CategoryFilter, $orderBy: [CategoryOrder!]) {
      categories(filter: $filter, orderBy: $orderBy) { totalCount nodes { ...CategoryLookup } }
    }`,
    reply: list(categoryLookup, { total: 'totalRecords' }),
    hasETag: true,
    summary: 'List categories of news and instructional videos.',
  },
  'POST /v1/categories': createRoute(category, 'Create a category. Requires the permission NEWS_CREATOR.', {
    auth: user,
    reply: created(result(category)),
  }),
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
    reply: recordAlone(category),
    summary: 'Get a category.',
  },

  'POST /v1/admin/news': createRoute(news, 'Create a news item.'),
  'GET /v1/data/news': {
    auth: platformOrUser,
    args: {
      filter: {
        isOnHomepage: query.flag('show_on_homepage'),
        isOnSite: query.flag('show_on_site'),
        isFeatured: featuredOnly,
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
    reply: list(newsWithOutlet, { total: 'totalRecords' }),
    summary: 'List news items, newest first by default.',
  },
  'GET /v1/data/news/{slug}': {
    auth: platformOrUser,
    operation: 'query ($slug: String!) { newsItemBySlug(slug: $slug) { ...NewsRead } }',
    reply: result(newsWithOutlet),
    summary: 'Get a news item by its slug.',
  },
  'PUT /v1/admin/news/{uuid}': updateRoute(
    news,
    'Update a news item. Users need the permission NEWS_CREATOR, NEWS_ADMIN or ADMIN.',
    { auth: platformOrUser },
  ),
  'DELETE /v1/admin/news/{uuid}': deleteRoute('NewsItem', 'Delete a news item.'),

  'POST /v1/admin/news_outlet': createRoute(newsOutlet, 'Create a news outlet.', {
    args: { input: body(newsOutlet) },
    reply: payloadOf(newsOutlet),
  }),
  'GET /v1/data/news_outlet/{uuid}': getRoute(payloadOf(newsOutlet), 'Get a news outlet.'),
  'GET /v1/data/news_outlet': listRoute(
    'newsOutlets',
    list(newsOutlet, { total: 'total_records' }),
    'List news outlets, newest first.',
    {
      args: { filter: { title: { contains: query('search') } }, ...page({ clampedTo: 25 }) },
    },
  ),
  'PUT /v1/admin/news_outlet/{uuid}': {
    auth: platform,
    args: { id: path('uuid'), input: body(newsOutlet, { hasIdInPath: true }) },
    operation: 'mutation ($id: ID!, $input: NewsOutletInput!) { updateNewsOutlet(id: $id, input: $input) { ...NewsOutlet } }',
    reply: payloadOf(newsOutlet),
    summary: 'Update a news outlet.',
  },
  'DELETE /v1/admin/news_outlet/{uuid}': deleteRoute('NewsOutlet', 'Delete a news outlet.'),
});
