import {
  body,
  caller,
  computedFrom,
  custom,
  declareRoutes,
  empty,
  firstPresent,
  list,
  path,
  platform,
  platformOrUser,
  query,
  type Reply,
  type Route,
  required,
  result,
  value,
  withAliases,
} from '../engine/index.js';
import {
  favorite,
  favoriteTitles,
  like,
  notification,
  notificationSetting,
  reactionNames,
  reactionNumbers,
  reactionsByName,
} from '../records/engagement.js';
import { listRoute } from './record-routes.js';

/** Path parameter `module_for`. Only news can have reactions. */
const newsModule = path.oneOf('module_for', ['news']);
const action = path.oneOf('action', {
  ...reactionNumbers,
  2: 'UNLIKE',
  99: 'UNLIKE',
  ...reactionsByName,
  UNLIKE_REACTION_TYPE: 'UNLIKE',
});
/** ID of the reacting user: from the user token, or else from the query or the body (decision 26). */
const reactingUserId = firstPresent(
  caller(({ user }) => user?.id),
  query('user_uuid'),
  body.text('user_uuid'),
);
/** Reply with an empty object, which is also sent if there is no reaction to remove. */
const emptyOrMissing: Reply = { ...empty, handlesNull: true };

const kinds = Object.entries(favoriteTitles);
const kindsByTitle = Object.fromEntries(kinds.map(([kind, title]) => [title, kind]));

const settingRoute = (isEnabled: boolean): Route => ({
  auth: platformOrUser,
  ownUserParam: 'uuid',
  operation: `mutation ($uuid: ID!, $id: ID!) { setNotificationEnabled(typeId: $id, isEnabled: ${isEnabled}, userId: $uuid) { typeId } }`,
  reply: empty,
  summary: `Turn a notification type ${isEnabled ? 'on' : 'off'} for a user.`,
});

const markRoute = (state: 'Read' | 'Unread'): Route => ({
  auth: platformOrUser,
  ownUserParam: 'uuid',
  operation: `mutation ($uuid: ID!, $id: ID!) { markNotification${state}(id: $id, userId: $uuid) { ...NotificationRecord } }`,
  reply: result(notification),
  summary: `Mark a notification as ${state.toLowerCase()}.`,
});

/** Routes for likes, favorites and notifications (sections 4.12, 4.15 and 4.17). */
export const engagementRoutes = declareRoutes({
  'POST /v1/like_system/{module_for}/{module_uuid}/{action}': [
    {
      auth: platform,
      actsForUser: true,
      when: computedFrom((_, kind) => (kind === 'UNLIKE' ? kind : undefined), newsModule, action),
      args: { userId: reactingUserId },
      operation: 'mutation ($module_uuid: ID!, $userId: ID) { unreact(newsItemId: $module_uuid, userId: $userId) { id } }',
      reply: emptyOrMissing,
      summary: 'Remove a reaction to a news item.',
    },
    {
      auth: platform,
      actsForUser: true,
      when: newsModule,
      args: { userId: reactingUserId, kind: action },
      operation:
        'mutation ($module_uuid: ID!, $userId: ID, $kind: ReactionKind!) { react(newsItemId: $module_uuid, userId: $userId, kind: $kind) { id } }',
      reply: empty,
      summary: 'Add a reaction to a news item.',
    },
  ],
  'GET /v1/data/like_system/{module_for}/{module_uuid}': {
    auth: platform,
    when: newsModule,
    args: { kind: query.oneOf('reaction_type', { ...reactionNumbers, ...reactionsByName }) },
    operation: `query ($module_uuid: ID!, $kind: ReactionKind) {
      newsReactions(newsItemId: $module_uuid, kind: $kind) { totalCount nodes { ...LikeItem } counts { kind count } }
    }`,
    reply: list(like, {
      total: 'total_records',
      extraSchemas: {
        reactions: {
          type: 'object',
          description: 'Number of reactions of each kind, keyed by names such as `like_reactions`.',
          'x-graphql': 'ReactionConnection.counts',
          additionalProperties: { type: 'integer' },
        },
      },
      extraKeys: ({ counts }) => ({
        reactions: Object.fromEntries(
          (counts as { kind: string; count: number }[]).map(({ kind, count }) => [`${kind.toLowerCase()}_reactions`, count]),
        ),
      }),
    }),
    summary: 'List the reactions to a news item, newest first, with a count for each kind of reaction.',
  },
  'GET /v1/users/{uuid}/like_system/{module_for}/{module_uuid}': {
    auth: platform,
    rejectsKeys: true,
    when: newsModule,
    operation: 'query ($uuid: ID!, $module_uuid: ID!) { newsItem(id: $module_uuid) { reactionOf(userId: $uuid) { kind } } }',
    reply: custom<{ reactionOf: { kind: string } | null }>(
      ({ reactionOf }) => ({
        body: {
          did_user_like_module: reactionOf !== null,
          reaction_type_id: reactionOf ? reactionNames[reactionOf.kind] : 'UNDEFINED_REACTION_TYPE',
        },
      }),
      {
        schema: {
          type: 'object',
          properties: {
            did_user_like_module: {
              type: 'boolean',
              description: 'Whether the user has reacted to the news item.',
              'x-graphql': 'NewsItem.reactionOf',
            },
            reaction_type_id: {
              type: 'string',
              description: 'Name of the reaction, or `UNDEFINED_REACTION_TYPE` if the user has not reacted.',
              enum: ['UNDEFINED_REACTION_TYPE', ...Object.values(reactionNames)],
              'x-graphql': 'Reaction.kind',
            },
          },
          required: ['did_user_like_module', 'reaction_type_id'],
          additionalProperties: false,
        },
      },
    ),
    summary: "Get a user's reaction to a news item.",
  },
  'POST /v1/users/{uuid}/favorites': {
    auth: platformOrUser,
    ownUserParam: 'uuid',
    args: {
      kind: required(withAliases(body.oneOf('module_for', kindsByTitle), body.oneOf('moduleFor', kindsByTitle))),
      subjectId: required(withAliases(body.text('module_uuid'), body.text('moduleUuid'))),
    },
    operation:
      'mutation ($uuid: ID!, $kind: FavoriteKind!, $subjectId: ID!) { addFavorite(userId: $uuid, kind: $kind, subjectId: $subjectId, acceptsLegacyValues: true) { id } }',
    reply: empty,
    summary: 'Add a favorite.',
  },
  'DELETE /v1/users/{uuid}/favorites/{favorite_uuid}': {
    auth: platformOrUser,
    ownUserParam: 'uuid',
    operation: 'mutation ($uuid: ID!, $favorite_uuid: ID!) { removeFavorite(userId: $uuid, id: $favorite_uuid) { id } }',
    reply: empty,
    summary: 'Remove a favorite.',
  },
  'GET /v1/users/{uuid}/favorites': listRoute(
    'favorites',
    list(favorite, { total: 'totalRecords' }),
    "List a user's favorites, newest first.",
    {
      auth: platformOrUser,
      ownUserParam: 'uuid',
      args: { filter: { userId: { eq: path('uuid') }, kind: { in: value(kinds.map(([kind]) => kind)) } } },
    },
  ),
  'PATCH /v1/users/{uuid}/push_notifications_settings/{id}/enable': settingRoute(true),
  'PATCH /v1/users/{uuid}/push_notifications_settings/{id}/disable': settingRoute(false),
  'GET /v1/users/{uuid}/push_notifications_settings': {
    auth: platformOrUser,
    ownUserParam: 'uuid',
    operation: 'query ($uuid: ID!) { notificationSettings(userId: $uuid, isEnabled: true) { ...NotificationSettingRecord } }',
    reply: list(notificationSetting, { total: null, items: 'userNotifications' }),
    summary: 'List the notification types that are turned on for a user.',
  },
  'PATCH /v1/users/{uuid}/push_notifications/{id}/unread': markRoute('Unread'),
  'PATCH /v1/users/{uuid}/push_notifications/{id}/read': markRoute('Read'),
  'GET|POST /v1/users/{uuid}/push_notifications': {
    auth: platformOrUser,
    ownUserParam: 'uuid',
    args: { filter: { userId: { eq: path('uuid') }, isUnread: value(true) } },
    operation:
      'query ($filter: NotificationFilter) { notifications(filter: $filter) { totalCount nodes { ...NotificationRecord } } }',
    reply: list(notification, {
      total: null,
      items: 'notifications',
      extraSchemas: {
        total_notifications: {
          type: 'string',
          description: 'Total number of unread notifications, as a string.',
          'x-graphql': 'NotificationConnection.totalCount',
        },
      },
      extraKeys: ({ totalCount }) => ({ total_notifications: String(totalCount) }),
    }),
    summary: "List a user's unread notifications, newest first.",
  },
});
