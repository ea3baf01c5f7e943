import { sql as raw, type SqlBool } from 'kysely';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { id, ref } from '../../../kernel/declare/fields/fields.js';
import { platform, superAdmin } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { upsert } from '../../../kernel/write/save.js';
import { User } from '../../accounts/users/user.js';
import { PushNotificationType } from '../../reference/records/platform-lookups.js';

@record(
  {
    table: 'muted_notification',
    one: 'mutedNotification',
    many: 'mutedNotifications',
    read: [superAdmin],
    write: { policies: [platform], owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    rootFields: [],
    key: ['userId', 'typeId'],
  },
  'Notification type that a user has disabled. All types are enabled by default.',
)
export class MutedNotification {
  @id('ID of the record.')
  id!: string;

  @ref(() => User, {}, 'User who disabled the type.', { index: false })
  userId!: string | null;

  @ref(() => PushNotificationType, {}, 'Notification type.', { index: false })
  typeId!: string | null;
}

@ObjectType({ description: "A user's setting for one notification type." })
export class NotificationSetting {
  @Field(() => ID, { description: 'Stable ID of the setting, derived from the user and the notification type.' })
  id!: string;

  @Field(() => ID, { description: 'ID of the notification type.' })
  typeId!: string;

  @Field(() => ID, { description: 'ID of the user.' })
  userId!: string;

  @Field(() => Boolean, { description: 'Whether the user receives notifications of this type.' })
  isEnabled!: boolean;
}

const settingOf = (userId: string, typeId: string, isEnabled: boolean): NotificationSetting => ({
  id: `${typeId}/${userId}`,
  typeId,
  userId,
  isEnabled,
});

/** Returns the settings of a user, one per notification type. Reads the settings of all users in a list with one statement. */
export const notificationSettingsOf = ({ loaders, sql }: Context, userId: string): Promise<NotificationSetting[]> =>
  loaders.batchLoader<NotificationSetting[]>('notification settings', async (users) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('push_notification_type as t')
        .leftJoin('muted_notification as m', (join) =>
          join.onRef('m.type_id', '=', 't.id').on(raw<SqlBool>`m.user_id = any(${users})`),
        )
        .select(['t.id', 'm.user_id as mutedBy'])
        .where('t.is_enabled', '=', true)
        .orderBy('t.position')
        .orderBy('t.id'),
    );
    const types = [...Map.groupBy(rows, ({ id }) => id)];
    return users.map((user) =>
      types.map(([typeId, typeRows]) => settingOf(user, typeId, !typeRows.some(({ mutedBy }) => mutedBy === user))),
    );
  })(userId);

/** Enables or disables a notification type for a user. Throws NOT_FOUND for an unknown type. */
export async function setNotificationEnabled(
  context: Context,
  userId: string,
  typeId: string,
  isEnabled: boolean,
): Promise<NotificationSetting> {
  if (!(await notificationSettingsOf(context, userId)).some((setting) => setting.typeId === typeId))
    fail('NOT_FOUND', `no type of notification with the id ${typeId}`);
  if (isEnabled) {
    const { loaders, sql } = context;
    await sql.run(sql.db.deleteFrom('muted_notification').where('user_id', '=', userId).where('type_id', '=', typeId));
    loaders.clear();
  } else await upsert(context, MutedNotification, {}, ['id'], { userId, typeId });
  return settingOf(userId, typeId, isEnabled);
}
