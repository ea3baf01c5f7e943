import { sql as raw, type SqlBool } from 'kysely';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { upsert } from '../../kernel/write/save.js';
import { MutedNotification } from './muted-notification.js';

@ObjectType({ description: 'Whether a user gets one type of notification.' })
export class NotificationSetting {
  @Field(() => ID, { description: 'Stable ID of the setting of one user for one type of notification.' })
  id!: string;

  @Field(() => ID, { description: 'ID of the type of notification.' })
  typeId!: string;

  @Field(() => ID, { description: 'Whose setting it is.' })
  userId!: string;

  @Field(() => Boolean, { description: 'The user gets these notifications.' })
  isEnabled!: boolean;
}

const settingOf = (userId: string, typeId: string, isEnabled: boolean): NotificationSetting => ({
  id: `${typeId}/${userId}`,
  typeId,
  userId,
  isEnabled,
});

/** The settings of a user, one a type, as the lookup orders them; those of several users are read in one statement. */
export const notificationSettingsOf = ({ loaders, sql }: Context, userId: string): Promise<NotificationSetting[]> =>
  loaders.batch<NotificationSetting[]>('notification settings', async (users) => {
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
      types.map(([typeId, muted]) => settingOf(user, typeId, !muted.some(({ mutedBy }) => mutedBy === user))),
    );
  })(userId);

/** Switches a type of notification on or off for a user. */
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
