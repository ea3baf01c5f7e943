import { module } from '../../kernel/serve/module.js';
import { Favorite } from './favorite.js';
import { favoriteMarks } from './favorite-marks.js';
import { FavoriteResolver } from './favorite-resolver.js';
import { liveNotifications } from './live.js';
import { MutedNotification } from './muted-notification.js';
import { NodeResolver } from './node-resolver.js';
import { Notification } from './notification.js';
import { NotificationResolver, SettingFields, UserSettings } from './notification-resolver.js';
import { Reaction } from './reaction.js';
import { NewsReactions, ReactionResolver, reactionTotals } from './reaction-resolver.js';
import { SearchResolver } from './search-resolver.js';
import { subjects } from './subjects.js';
import { UnreadCount } from './unread-count.js';

/** What users like, mark and are told of (sections 2.13, 2.16 and 2.18). */
export const engagement = module({
  name: 'engagement',
  description:
    'Reactions to news, favorites and notifications of users, the search over all kinds, and any record by its id among all kinds.',
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
    SettingFields,
    UserSettings,
    UnreadCount,
  ],
});
