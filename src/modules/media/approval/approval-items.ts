import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { recordNamed } from '../../../kernel/declare/meta.js';
import { nodeIdOf } from '../../../kernel/declare/node.js';
import type { PolymorphicTargets } from '../../../kernel/read/relations/polymorphic.js';
import { polymorphicRelation } from '../../../kernel/serve/relations.js';
import type { NodeRow } from '../../../kernel/serve/subjects.js';
import { readTypedRow } from '../../../kernel/serve/subjects.js';
import { itemTypes } from '../queue/item-types.js';
import { Approval } from './approval.js';
import { ApprovalComment } from './approval-comment.js';
import { ApprovalItem } from './approval-item.js';
import { ApprovalStatus } from './approval-status.js';
import type { StatusSource } from './change-approval.js';

const nullDescription = 'Null if it was deleted or the caller cannot see it.';

@Resolver(() => ApprovalStatus)
export class StatusItem {
  @FieldResolver(() => ID, { description: 'Globally unique ID, equal to the `nodeId` of the item.' })
  id(@Root() { $type, $id }: StatusSource): string {
    return nodeIdOf($type, $id);
  }

  @FieldResolver(() => ApprovalItem, { nullable: true, description: `Item of the status. ${nullDescription}` })
  item(@Root() { $type, $id }: StatusSource, @Ctx() context: Context, @Info() info: GraphQLResolveInfo): Promise<NodeRow | null> {
    return readTypedRow(context, recordNamed($type), $id, info);
  }
}

const items: PolymorphicTargets = {
  name: ApprovalItem.name,
  type: ApprovalItem,
  records: Object.fromEntries(Object.entries(itemTypes).map(([type, { record }]) => [type, record])),
};

export const approvedItems = [
  polymorphicRelation(Approval, 'item', { kind: 'itemType', id: 'itemId' }, items, `Approved item. ${nullDescription}`),
  polymorphicRelation(ApprovalComment, 'item', { id: 'itemId' }, items, `Item that the comment is about. ${nullDescription}`),
];
