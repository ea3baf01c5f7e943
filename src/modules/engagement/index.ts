import { module } from '../../kernel/serve/module.js';
import { Favorite } from './favorites/favorite.js';
import { FavoriteResolver } from './favorites/favorite-resolver.js';
import { viewerFavoriteFields } from './favorites/viewer-favorites.js';
import { NodeResolver } from './node-resolver.js';
import { liveNotifications } from './notifications/live-notifications.js';
import { Notification } from './notifications/notification.js';
import {
  NotificationResolver,
  NotificationSettingFields,
  UserNotificationFields,
} from './notifications/notification-resolver.js';
import { MutedNotification } from './notifications/notification-setting.js';
import { Reaction } from './reactions/reaction.js';
import { NewsReactions, ReactionResolver, reactionCountsField } from './reactions/reaction-resolver.js';
import { SearchResolver } from './search/search-resolver.js';
import { subjectRelations } from './subjects.js';

/** Reactions, favorites and notifications of users (sections 2.13, 2.16 and 2.18), search, and lookup of records by globally unique ID. */
export const engagement = module({
  name: 'engagement',
  description: 'Reactions to news, favorites and notifications of users, search, and lookup of records by globally unique ID.',
  records: [Reaction, Favorite, Notification, MutedNotification],
  resolvers: [
    NodeResolver,
    SearchResolver,
    ReactionResolver,
    NewsReactions,
    reactionCountsField,
    FavoriteResolver,
    ...viewerFavoriteFields,
    NotificationResolver,
    liveNotifications,
    ...subjectRelations,
    NotificationSettingFields,
    UserNotificationFields,
  ],
});
