import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { User } from '../../accounts/users/user.js';
import { PushNotificationType } from '../../reference/records/platform-lookups.js';
import { markAllRead, markNotification } from './mark-notification.js';
import { Notification } from './notification.js';
import {
  MutedNotification,
  NotificationSetting,
  notificationSettingsOf,
  setNotificationEnabled,
} from './notification-setting.js';

@ObjectType({ description: 'Result of marking all notifications of a user as read.' })
export class MarkedNotifications {
  @Field(() => Int, { description: 'Number of notifications that were previously unread.' })
  count!: number;
}

const userIdDescription = 'ID of the user. Defaults to the signed-in user. Only platforms can specify another user.';

@Resolver()
export class NotificationResolver {
  @allow(platform, user)
  @Query(() => [NotificationSetting], { description: 'Notification settings of a user, one per notification type.' })
  async notificationSettings(
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Arg('isEnabled', () => Boolean, {
      nullable: true,
      description: 'Whether to return only enabled or only disabled types. Defaults to all types.',
    })
    isEnabled: boolean | null,
    @Ctx() context: Context,
  ): Promise<NotificationSetting[]> {
    const settings = await notificationSettingsOf(context, onBehalfOf(context, userId));
    return settings.filter((setting) => (isEnabled ?? setting.isEnabled) === setting.isEnabled);
  }

  @allowWriters(MutedNotification)
  @Mutation(() => NotificationSetting, {
    description: 'Enables or disables a notification type for a user. NOT_FOUND for an unknown type.',
  })
  setNotificationEnabled(
    @Arg('typeId', () => ID, { description: 'ID of the notification type.' }) typeId: string,
    @Arg('isEnabled', () => Boolean, { description: 'Whether the user receives notifications of this type.' }) isEnabled: boolean,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
  ): Promise<NotificationSetting> {
    return setNotificationEnabled(context, onBehalfOf(context, userId), typeId, isEnabled);
  }

  @allowWriters(Notification)
  @Mutation(() => Notification, {
    description: 'Marks a notification as read. NOT_FOUND if the user has no notification with this ID.',
  })
  markNotificationRead(
    @Arg('id', () => ID, { description: 'ID of the notification.' }) id: string,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Notification>> {
    return markNotification(context, onBehalfOf(context, userId), id, true, selectedColumns(Notification, info));
  }

  @allowWriters(Notification)
  @Mutation(() => Notification, {
    description: 'Marks a notification as unread. NOT_FOUND if the user has no notification with this ID.',
  })
  markNotificationUnread(
    @Arg('id', () => ID, { description: 'ID of the notification.' }) id: string,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Notification>> {
    return markNotification(context, onBehalfOf(context, userId), id, false, selectedColumns(Notification, info));
  }

  @allowWriters(Notification)
  @Mutation(() => MarkedNotifications, { description: 'Marks all unread notifications of a user as read.' })
  async markAllNotificationsRead(
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
  ): Promise<MarkedNotifications> {
    return { count: await markAllRead(context, onBehalfOf(context, userId)) };
  }
}

@Resolver(() => NotificationSetting)
export class NotificationSettingFields {
  @FieldResolver(() => PushNotificationType, { nullable: true, description: 'Notification type.' })
  type(
    @Root() { typeId }: NotificationSetting,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<PushNotificationType> | null> {
    return loaders.loadRow(PushNotificationType, selectedColumns(PushNotificationType, info), typeId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'User that the setting belongs to.' })
  user(
    @Root() { userId }: NotificationSetting,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return loaders.loadRow(User, selectedColumns(User, info), userId);
  }
}

/** Notification fields of users. */
@Resolver(() => User)
export class UserNotificationFields {
  @readsColumns('id')
  @FieldResolver(() => [NotificationSetting], {
    nullable: true,
    description: 'Notification settings of the user. Visible to platforms and the user. Null for other callers.',
  })
  notificationSettings(@Root() { id }: Pick<User, 'id'>, @Ctx() context: Context): Promise<NotificationSetting[]> | null {
    const { platform, user } = context.caller;
    return platform || user?.id === id ? notificationSettingsOf(context, id) : null;
  }

  @readsColumns('id')
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of unread notifications. Visible to platforms and the user. Null for other callers.',
  })
  unreadNotificationCount(@Root() { id }: Pick<User, 'id'>, @Ctx() { caller, loaders }: Context): Promise<number> | null {
    if (!caller.platform && caller.user?.id !== id) return null;
    return loaders.count(Notification, { isUnread: true }, 'userId', id);
  }
}
