import { ID } from 'type-graphql';
import { columnTopic } from '../../../kernel/changes/index.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { createRecordChangeType } from '../../../kernel/serve/change-types.js';
import { couldSeeRow, subscriptionField } from '../../../kernel/serve/live-events.js';
import { Notification } from './notification.js';

const NotificationChange = createRecordChangeType(Notification);

/** Subscription to the notifications of a user. */
export const liveNotifications = subscriptionField<{ userId?: string | null }>({
  name: 'notifications',
  type: () => NotificationChange,
  description: 'New notifications of a user, and notifications that are marked as read or unread.',
  policies: [platform, user],
  args: {
    userId: {
      type: () => ID,
      description: 'ID of the user. Defaults to the signed-in user. Only platforms can specify another user.',
    },
  },
  topics: ({ userId }, context) => [columnTopic('Notification', 'userId', onBehalfOf(context, userId))],
  // The topic includes only notifications of the subscriber. Deletions of these notifications are reported as well.
  canReceive: (change, _, context) => couldSeeRow(change, context),
});
