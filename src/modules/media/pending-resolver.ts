import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { Connection } from '../../kernel/serve/connection.js';
import { PartArguments } from '../../kernel/serve/list-arguments.js';
import { mixedConnectionOf } from '../../kernel/serve/mixed-connection.js';
import { User } from '../accounts/user.js';
import { ApprovalItem } from './approval-item.js';
import { ApprovalItemType } from './approval-state.js';
import { confirmer, mayConfirm } from './confirmers.js';
import { pendingApprovals } from './pending-approvals.js';
import { QueueFilter, QueueOrder } from './queue-arguments.js';

const ApprovalItemConnection = mixedConnectionOf(
  'ApprovalItem',
  ApprovalItem,
  'A page of items that wait for approvals, of all kinds.',
);

/** The arguments of a queue, from that place among the parameters on. */
const queueArguments = (target: object, method: string, at: number): void => {
  Arg('kinds', () => [ApprovalItemType], { nullable: true, description: 'Only items of these kinds.' })(target, method, at);
  Arg('filter', () => QueueFilter, { nullable: true, description: 'Only items that meet these conditions.' })(
    target,
    method,
    at + 1,
  );
  Arg('orderBy', () => [QueueOrder], {
    nullable: true,
    description: 'Order of the items. Later entries break ties. Default: `CREATED_AT`, oldest first.',
  })(target, method, at + 2);
  Args(() => PartArguments)(target, method, at + 3);
};

/** One queue of all that waits for approvals. */
@Resolver()
export class PendingResolver {
  @Query(() => ApprovalItemConnection, {
    description:
      'Queue of items that wait for approvals: sponsors, images of sponsors, and images and biographies of users. Oldest first by default.',
  })
  @allow(confirmer)
  pendingApprovals(
    kinds: ApprovalItemType[] | null,
    filter: QueueFilter | null,
    orderBy: QueueOrder[] | null,
    part: PartArguments,
    @Ctx() context: Context,
  ): Promise<Connection> {
    return pendingApprovals(context, { kinds, filter, orderBy }, part, null);
  }
}

@Resolver(() => User)
export class ViewersApprovals {
  @needs('id')
  @FieldResolver(() => ApprovalItemConnection, {
    nullable: true,
    description:
      'What waits for the approval of this person: nothing of their own, unless they are admins, and nothing that they approved already. Shown to the person, as far as they confirm content; null to others.',
  })
  pendingApprovals(
    @Root() { id }: Pick<User, 'id'>,
    kinds: ApprovalItemType[] | null,
    filter: QueueFilter | null,
    orderBy: QueueOrder[] | null,
    part: PartArguments,
    @Ctx() context: Context,
  ): Promise<Connection> | null {
    const { caller } = context;
    if (caller.user?.id !== id || !mayConfirm(caller)) return null;
    return pendingApprovals(context, { kinds, filter, orderBy }, part, caller);
  }
}

queueArguments(PendingResolver.prototype, 'pendingApprovals', 0);
queueArguments(ViewersApprovals.prototype, 'pendingApprovals', 1);
