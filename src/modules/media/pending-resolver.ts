import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import { defaultFirst, maxFirst } from '../../kernel/read/part.js';
import type { Connection } from '../../kernel/serve/connection.js';
import { mixedConnectionOf } from '../../kernel/serve/mixed-connection.js';
import { User } from '../accounts/user.js';
import { ApprovalItem } from './approval-item.js';
import { ApprovalItemType } from './approval-state.js';
import { confirmer, mayConfirm } from './confirmers.js';
import { pendingApprovals } from './pending-approvals.js';

const ApprovalItemConnection = mixedConnectionOf(
  'ApprovalItem',
  ApprovalItem,
  'A page of items that wait for approvals, of all kinds, what has waited longest first.',
);

/** The arguments of a queue, from that place among the parameters on. */
const queueArguments = (target: object, method: string, at: number): void => {
  Arg('kinds', () => [ApprovalItemType], { nullable: true, description: 'Only items of these kinds.' })(target, method, at);
  Arg('first', () => Int, {
    nullable: true,
    description: `How many items, 0 to ${maxFirst}; ${defaultFirst} where it is absent.`,
  })(target, method, at + 1);
  Arg('after', () => String, {
    nullable: true,
    description: 'Begins behind this cursor: `pageInfo.endCursor` of the page before, of the same list.',
  })(target, method, at + 2);
  Arg('offset', () => Int, { nullable: true, description: 'How many items to skip, 0 or more.' })(target, method, at + 3);
};

/** One queue of all that waits for approvals. */
@Resolver()
export class PendingResolver {
  @Query(() => ApprovalItemConnection, {
    description:
      'What waits for approvals: sponsors, images of sponsors, images and biographies of users, in one queue, what has waited longest first.',
  })
  @allow(confirmer)
  pendingApprovals(
    kinds: ApprovalItemType[] | null,
    first: number | null,
    after: string | null,
    offset: number | null,
    @Ctx() context: Context,
  ): Promise<Connection> {
    return pendingApprovals(context, { kinds, first, after, offset }, null);
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
    first: number | null,
    after: string | null,
    offset: number | null,
    @Ctx() context: Context,
  ): Promise<Connection> | null {
    const { caller } = context;
    if (caller.user?.id !== id || !mayConfirm(caller)) return null;
    return pendingApprovals(context, { kinds, first, after, offset }, caller);
  }
}

queueArguments(PendingResolver.prototype, 'pendingApprovals', 0);
queueArguments(ViewersApprovals.prototype, 'pendingApprovals', 1);
