import { module } from '../../kernel/serve/module.js';
import { Favorite } from './favorite.js';
import { FavoriteResolver } from './favorite-resolver.js';
import { liveNotifications } from './live-notifications.js';
import { MutedNotification } from './muted-notification.js';
import { NodeResolver } from './node-resolver.js';
import { Notification } from './notification.js';
import { NotificationResolver, NotificationSettingFields, UserNotificationSettings } from './notification-resolver.js';
import { Reaction } from './reaction.js';
import { NewsReactions, ReactionResolver, reactionTotals } from './reaction-resolver.js';
import { SearchResolver } from './search-resolver.js';
import { subjects } from './subjects.js';
import { UnreadCount } from './unread-count.js';
import { favoriteMarks } from './viewer-favorites.js';

/** Reactions, favorites and notifications of users (sections 2.13, 2.16 and 2.18), search, and records by global id. */
export const engagement = module({
  name: 'engagement',
  description: 'Reactions to news, favorites and notifications of users, search, and records by globally unique ID.',
  records: [Reaction, Favorite, Notification, MutedNotification],
  resolvers: [
    NodeResolver,
    SearchResolver,
    ReactionResolver,
    NewsReactions,
    reactionTotals,
    FavoriteResolver,
    ...favoriteMarks,
    NotificationResolver,
    liveNotifications,
    ...subjects,
    NotificationSettingFields,
    UserNotificationSettings,
    UnreadCount,
  ],
});
