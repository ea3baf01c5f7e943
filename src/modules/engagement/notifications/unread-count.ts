import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { User } from '../../accounts/users/user.js';
import { Notification } from './notification.js';

@Resolver(() => User)
export class UnreadCount {
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
