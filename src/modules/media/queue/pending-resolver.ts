import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow } from '../../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { PageArguments } from '../../../kernel/serve/arguments.js';
import { type ConnectionSource, mixedConnectionOf } from '../../../kernel/serve/connection.js';
import { User } from '../../accounts/users/user.js';
import { ApprovalItem } from '../approval/approval-item.js';
import { canConfirm, confirmerPolicies } from '../approval/confirmers.js';
import { pendingApprovals } from './pending-approvals.js';
import { QueueFilter, QueueOrder } from './queue-arguments.js';

const ApprovalItemConnection = mixedConnectionOf('ApprovalItem', ApprovalItem, 'Page of pending items of all types.');

/** Declares the arguments of a queue on a method, from the parameter with index `parameterIndex`. */
const queueArguments = (target: object, method: string, parameterIndex: number): void => {
  Arg('filter', () => QueueFilter, { nullable: true, description: 'Conditions that items must meet.' })(
    target,
    method,
    parameterIndex,
  );
  Arg('orderBy', () => [QueueOrder], {
    nullable: true,
    description: 'Order of the items. Later entries break ties. Defaults to `CREATED_AT`, oldest first.',
  })(target, method, parameterIndex + 1);
  Args(() => PageArguments)(target, method, parameterIndex + 2);
};

/** Queue of all pending items. */
@Resolver()
export class PendingResolver {
  @Query(() => ApprovalItemConnection, {
    description: 'Pending items: sponsors, images of sponsors, and images and biographies of users. Oldest first by default.',
  })
  @allow(confirmerPolicies)
  pendingApprovals(
    filter: QueueFilter | null,
    orderBy: QueueOrder[] | null,
    part: PageArguments,
    @Ctx() context: Context,
  ): Promise<ConnectionSource> {
    return pendingApprovals(context, { filter, orderBy }, part, null);
  }
}

@Resolver(() => User)
export class ViewerApprovals {
  @readsColumns('id')
  @FieldResolver(() => ApprovalItemConnection, {
    nullable: true,
    description:
      'Items that need the approval of the user. Excludes items that the user has approved, and their own items unless they are an admin. Visible to the user, if they have the role CONTENT_CONFIRMER. Null for other callers.',
  })
  pendingApprovals(
    @Root() { id }: Pick<User, 'id'>,
    filter: QueueFilter | null,
    orderBy: QueueOrder[] | null,
    part: PageArguments,
    @Ctx() context: Context,
  ): Promise<ConnectionSource> | null {
    const { caller } = context;
    if (caller.user?.id !== id || !canConfirm(caller)) return null;
    return pendingApprovals(context, { filter, orderBy }, part, caller);
  }
}

queueArguments(PendingResolver.prototype, 'pendingApprovals', 0);
queueArguments(ViewerApprovals.prototype, 'pendingApprovals', 1);
