import { ID } from 'type-graphql';
import { ofRowsWith } from '../../kernel/changes/index.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { changeOfOne } from '../../kernel/serve/change-types.js';
import { liveRoot, sawRow } from '../../kernel/serve/live.js';
import { Notification } from './notification.js';

const NotificationChange = changeOfOne(Notification);

/** The notifications of a user as they come. */
export const liveNotifications = liveRoot<{ userId?: string | null }>({
  name: 'notifications',
  type: () => NotificationChange,
  description: 'Notifications of a user: each that comes, and each that is marked as read or unread.',
  policies: [platform, user],
  args: {
    userId: { type: () => ID, description: 'Whose: those of the signed-in user unless a platform names another one.' },
  },
  topics: ({ userId }, context) => [ofRowsWith('Notification', 'userId', onBehalfOf(context, userId))],
  // They are the subscriber's own, also when they are gone.
  concerns: (change, _, context) => sawRow(change, context),
});
