import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { administrators, allow } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { Instant } from '../../../kernel/declare/scalars/scalars.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { lockAccount, unlockAccount } from './lock-account.js';
import { User } from './user.js';

@Resolver()
export class LockResolver {
  @Mutation(() => User, {
    description:
      'Locks the account of another user: the user cannot sign in, refresh a token or reset a password. Ends all sessions, and invalidates links, codes and one-time tokens. Changes only the reason if the account is already locked and `keepsExisting` is false. FORBIDDEN if the user is a super admin and the caller is not.',
  })
  @allow(administrators)
  lockUser(
    @Arg('id', () => ID, { description: 'ID of the user.' }) id: string,
    @Arg('reason', () => String, { description: 'Reason for locking the account, shown to administrators. 1 to 500 characters.' })
    reason: string,
    @Arg('keepsExisting', () => Boolean, {
      defaultValue: false,
      description: 'Whether to reject the lock with CONFLICT if the account is already locked.',
    })
    keepsExisting: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return lockAccount(context, id, { reason, keepsExisting }, selectedColumns(User, info));
  }

  @Mutation(() => User, {
    description:
      'Unlocks the account of a user, who must sign in again. Idempotent without `ifLockedAt`. FORBIDDEN if the user is a super admin and the caller is not.',
  })
  @allow(administrators)
  unlockUser(
    @Arg('id', () => ID, { description: 'ID of the user.' }) id: string,
    @Arg('ifLockedAt', () => Instant, {
      nullable: true,
      description:
        'Time of the lock to remove, as in `User.lockedAt`. CONFLICT if the account is not locked, or has been locked again since. Default: any lock.',
    })
    lockedAt: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return unlockAccount(context, id, lockedAt ?? null, selectedColumns(User, info));
  }
}
