import { Field, InputType, registerEnumType } from 'type-graphql';
import { enumOperators, idOperators, instantOperators } from '../../../kernel/read/conditions/operators.js';
import { Direction } from '../../../kernel/read/paging/order.js';
import { ApprovalItemType, ApprovalState } from '../approval/approval-status.js';

/** Sortable fields of the queue. */
const QueueOrderField = { CREATED_AT: 'CREATED_AT', TYPE: 'TYPE', OWNER_ID: 'OWNER_ID', OWNER_NAME: 'OWNER_NAME' } as const;
registerEnumType(QueueOrderField, {
  name: 'PendingApprovalOrderField',
  description: 'Sortable fields of pending items.',
  valuesConfig: {
    CREATED_AT: { description: 'Creation time of the item.' },
    TYPE: { description: 'Type of the item, in this order: sponsors, images of sponsors, images of users, biographies.' },
    OWNER_ID: { description: 'ID of the owner. Items without an owner come first in ascending order.' },
    OWNER_NAME: {
      description:
        'First name of the owner, followed by the last name. Items without an owner, or whose owner has no name, come first in ascending order.',
    },
  },
});

@InputType('PendingApprovalOrder', { description: 'Order of pending items.' })
export class QueueOrder {
  @Field(() => QueueOrderField, { description: 'Field to order by.' })
  field!: keyof typeof QueueOrderField;

  @Field(() => Direction, { defaultValue: 'ASC', description: 'Sort direction.' })
  direction!: keyof typeof Direction;
}

/** Maximum number of elements in `orderBy`. */
export const maxQueueOrders: number = Object.keys(QueueOrderField).length;

@InputType('PendingApprovalFilter', {
  description: 'Conditions on pending items. Items must meet all conditions.',
})
export class QueueFilter {
  @Field(() => enumOperators(ApprovalItemType).input, { nullable: true, description: 'Type of the item.' })
  type?: object | null;

  @Field(() => idOperators.input, {
    nullable: true,
    description: 'ID of the owner: the user of an image or biography, or the owner of a sponsor and its images.',
  })
  ownerId?: object | null;

  @Field(() => String, {
    nullable: true,
    description: 'Words in the name of the owner, ignoring case, accents and small misspellings. At most 200 characters.',
  })
  ownerName?: string | null;

  @Field(() => instantOperators.input, { nullable: true, description: 'Creation time of the item.' })
  createdAt?: object | null;
}

@InputType('ApprovalItemFilter', { description: 'Conditions on items in any approval state. Items must meet all conditions.' })
export class ItemFilter extends QueueFilter {
  @Field(() => enumOperators(ApprovalState).input, { nullable: true, description: 'Approval state of the item.' })
  state?: object | null;
}
