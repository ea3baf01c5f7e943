import { Field, InputType, registerEnumType } from 'type-graphql';
import { ofEnumeration, ofId, ofInstants } from '../../kernel/read/operators.js';
import { Direction } from '../../kernel/read/order.js';
import { ApprovalItemType } from './approval-state.js';

/** What the queue can be ordered by. */
const QueueOrderField = { CREATED_AT: 'CREATED_AT', KIND: 'KIND', OWNER_ID: 'OWNER_ID' } as const;
registerEnumType(QueueOrderField, {
  name: 'PendingApprovalOrderField',
  description: 'What items that wait for approvals can be ordered by.',
  valuesConfig: {
    CREATED_AT: { description: 'When the item was made, as far as that is known; unknown times are the earliest.' },
    KIND: { description: 'Kind of item: sponsors, images of sponsors, images of users, biographies.' },
    OWNER_ID: { description: 'Id of the user whose item it is; items of nobody come first.' },
  },
});

@InputType('PendingApprovalOrder', { description: 'An order of items that wait for approvals.' })
export class QueueOrder {
  @Field(() => QueueOrderField, { description: 'The field to order by.' })
  field!: keyof typeof QueueOrderField;

  @Field(() => Direction, { defaultValue: 'ASC', description: 'The direction.' })
  direction!: keyof typeof Direction;
}

/** Most orders of one list: the number of fields. */
export const mostOrders: number = Object.keys(QueueOrderField).length;

@InputType('PendingApprovalFilter', {
  description: 'Conditions on items that wait for approvals. The conditions given all have to hold.',
})
export class QueueFilter {
  @Field(() => ofEnumeration(ApprovalItemType).cls, { nullable: true, description: 'Kind of item.' })
  kind?: object | null;

  @Field(() => ofId.cls, {
    nullable: true,
    description: 'Id of the user whose item it is: the user of an image or a biography, the owner of a sponsor and its images.',
  })
  ownerId?: object | null;

  @Field(() => ofInstants.cls, { nullable: true, description: 'When the item was made.' })
  createdAt?: object | null;
}
