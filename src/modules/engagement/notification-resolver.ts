import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { allow, platform, user } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { User } from '../accounts/user.js';
import { PushNotificationType } from '../reference/push-notification-type.js';
import { markAllRead, markNotification } from './mark-notification.js';
import { MarkedNotifications } from './marked-notifications.js';
import { MutedNotification } from './muted-notification.js';
import { Notification } from './notification.js';
import { NotificationSetting, notificationSettingsOf, setNotificationEnabled } from './notification-setting.js';

const whose = 'User: the signed-in user, unless a platform names another user.';

@Resolver()
export class NotificationResolver {
  @allow(platform, user)
  @Query(() => [NotificationSetting], { description: 'Which notifications a user gets, one setting a type, all or only some.' })
  async notificationSettings(
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Arg('isEnabled', () => Boolean, { nullable: true, description: 'Only those switched on, or only those switched off.' })
    isEnabled: boolean | null,
    @Ctx() context: Context,
  ): Promise<NotificationSetting[]> {
    const settings = await notificationSettingsOf(context, onBehalfOf(context, userId));
    return settings.filter((setting) => (isEnabled ?? setting.isEnabled) === setting.isEnabled);
  }

  @writes(MutedNotification)
  @Mutation(() => NotificationSetting, { description: 'Switches a type of notification on or off for a user.' })
  setNotificationEnabled(
    @Arg('typeId', () => ID, { description: 'ID of the type of notification.' }) typeId: string,
    @Arg('isEnabled', () => Boolean, { description: 'True: on. False: off.' }) isEnabled: boolean,
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Ctx() context: Context,
  ): Promise<NotificationSetting> {
    return setNotificationEnabled(context, onBehalfOf(context, userId), typeId, isEnabled);
  }

  @writes(Notification)
  @Mutation(() => Notification, { description: 'Marks a notification as read; NOT_FOUND where the user has none with that id.' })
  markNotificationRead(
    @Arg('id', () => ID, { description: 'Id of the notification.' }) id: string,
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Notification>> {
    return markNotification(context, onBehalfOf(context, userId), id, true, columnsWanted(Notification, info));
  }

  @writes(Notification)
  @Mutation(() => Notification, {
    description: 'Marks a notification as unread; NOT_FOUND where the user has none with that id.',
  })
  markNotificationUnread(
    @Arg('id', () => ID, { description: 'Id of the notification.' }) id: string,
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Notification>> {
    return markNotification(context, onBehalfOf(context, userId), id, false, columnsWanted(Notification, info));
  }

  @writes(Notification)
  @Mutation(() => MarkedNotifications, { description: 'Marks all unread notifications of a user as read.' })
  async markAllNotificationsRead(
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Ctx() context: Context,
  ): Promise<MarkedNotifications> {
    return { count: await markAllRead(context, onBehalfOf(context, userId)) };
  }
}

@Resolver(() => NotificationSetting)
export class SettingFields {
  @FieldResolver(() => PushNotificationType, { nullable: true, description: 'The type of notification.' })
  type(
    @Root() { typeId }: NotificationSetting,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<PushNotificationType> | null> {
    return loaders.one(PushNotificationType, columnsWanted(PushNotificationType, info), typeId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Whose setting it is.' })
  user(
    @Root() { userId }: NotificationSetting,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return loaders.one(User, columnsWanted(User, info), userId);
  }
}

@Resolver(() => User)
export class UserSettings {
  @needs('id')
  @FieldResolver(() => [NotificationSetting], {
    nullable: true,
    description: 'Which notifications the person gets; shown to platforms and to the user, null to others.',
  })
  notificationSettings(@Root() { id }: Pick<User, 'id'>, @Ctx() context: Context): Promise<NotificationSetting[]> | null {
    const { platform, user } = context.caller;
    return platform || user?.id === id ? notificationSettingsOf(context, id) : null;
  }
}
