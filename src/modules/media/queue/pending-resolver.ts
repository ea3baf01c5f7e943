import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow } from '../../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { PageArguments } from '../../../kernel/serve/arguments.js';
import { type ConnectionSource, mixedConnectionOf } from '../../../kernel/serve/connection.js';
import { User } from '../../accounts/users/user.js';
import { ApprovalItem } from '../approval/approval-item.js';
import { canConfirm, confirmerPolicies } from '../approval/confirmers.js';
import { approvalItems } from './approval-items.js';
import { ItemFilter, QueueFilter, QueueOrder } from './queue-arguments.js';

const ApprovalItemConnection = mixedConnectionOf('ApprovalItem', ApprovalItem, 'Page of pending items.');

/**
 * Declares the GraphQL arguments of an approval queue for consecutive parameters of a method, starting at the parameter with the index
 * `parameterIndex`.
 */
const queueArguments = (target: object, method: string, parameterIndex: number, filter = QueueFilter): void => {
  Arg('filter', () => filter, { nullable: true, description: 'Conditions that items must meet.' })(
    target,
    method,
    parameterIndex,
  );
  Arg('orderBy', () => [QueueOrder], {
    nullable: true,
    description: 'Order of the items. Later elements break ties. Defaults to `CREATED_AT`, oldest first.',
  })(target, method, parameterIndex + 1);
  Args(() => PageArguments)(target, method, parameterIndex + 2);
};

/** Lists of all pending items, and of items in any approval state. */
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
    return approvalItems(context, { filter, orderBy }, part, 'pending');
  }

  @Query(() => ApprovalItemConnection, {
    description:
      'Sponsors, images of sponsors, and images and biographies of users, in any approval state. Oldest first by default.',
  })
  @allow(confirmerPolicies)
  approvalItems(
    filter: ItemFilter | null,
    orderBy: QueueOrder[] | null,
    part: PageArguments,
    @Ctx() context: Context,
  ): Promise<ConnectionSource> {
    return approvalItems(context, { filter, orderBy }, part, 'any');
  }
}

@Resolver(() => User)
export class ViewerApprovals {
  @readsColumns('id')
  @FieldResolver(() => ApprovalItemConnection, {
    nullable: true,
    description:
      'Items that need the approval of the user. Excludes items that the user has approved and, unless the user is an admin, items that the user owns. Visible to the user if the user has the role CONTENT_CONFIRMER. Null for other callers.',
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
    return approvalItems(context, { filter, orderBy }, part, { approver: caller });
  }
}

queueArguments(PendingResolver.prototype, 'pendingApprovals', 0);
queueArguments(PendingResolver.prototype, 'approvalItems', 0, ItemFilter);
queueArguments(ViewerApprovals.prototype, 'pendingApprovals', 1);
