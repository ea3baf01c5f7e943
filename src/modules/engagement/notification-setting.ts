import { Field, ID, ObjectType } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { upsert } from '../../kernel/save.js';
import { MutedNotification } from './muted-notification.js';

@ObjectType({ description: 'Whether a user gets one type of notification.' })
export class NotificationSetting {
  @Field(() => ID, { description: 'Id of the type of notification, and of the setting.' })
  typeId!: string;

  @Field(() => ID, { description: 'Whose setting it is.' })
  userId!: string;

  @Field(() => Boolean, { description: 'The user gets these notifications.' })
  isEnabled!: boolean;
}

/** The settings of a user, one a type, as the lookup orders them; those of several users are read in one statement. */
export const settingsOf = ({ loaders, sql }: Context, userId: string): Promise<NotificationSetting[]> =>
  loaders.batch<NotificationSetting[]>('notification settings', async (users) => {
    const rows = await sql.rows<{ typeId: string; userId: string; isEnabled: boolean }>(
      `select t.id as "typeId", u.id as "userId", m.id is null as "isEnabled"
       from unnest($1::text[]) u(id) cross join push_notification_type t left join muted_notification m on m.user_id = u.id and m.type_id = t.id
       where t.is_enabled order by t.position, t.id`,
      [users],
    );
    const byUser = Map.groupBy(rows, (row) => row.userId);
    return users.map((user) => byUser.get(user) ?? []);
  })(userId);

/** Switches a type of notification on or off for a user. */
export async function setNotificationEnabled(
  context: Context,
  userId: string,
  typeId: string,
  isEnabled: boolean,
): Promise<NotificationSetting> {
  if (!(await settingsOf(context, userId)).some((setting) => setting.typeId === typeId))
    fail('NOT_FOUND', `no type of notification with the id ${typeId}`);
  if (isEnabled) {
    await context.sql.rows('delete from muted_notification where user_id = $1 and type_id = $2', [userId, typeId]);
    context.loaders.clear();
  } else await upsert(context, MutedNotification, {}, ['id'], { userId, typeId });
  return { typeId, userId, isEnabled };
}
