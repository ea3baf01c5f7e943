import { Field, InputType, registerEnumType } from 'type-graphql';
import { ofEnumeration, ofId, ofInstants } from '../../kernel/read/operators.js';
import { Direction } from '../../kernel/read/order.js';
import { ApprovalItemType } from './approval-state.js';

/** Fields that the queue can be ordered by. */
const QueueOrderField = { CREATED_AT: 'CREATED_AT', KIND: 'KIND', OWNER_ID: 'OWNER_ID' } as const;
registerEnumType(QueueOrderField, {
  name: 'PendingApprovalOrderField',
  description: 'Fields by which items that wait for approvals can be ordered.',
  valuesConfig: {
    CREATED_AT: { description: 'Creation time. Items without a known time sort as the oldest.' },
    KIND: { description: 'Kind of item, in this order: sponsors, images of sponsors, images of users, biographies.' },
    OWNER_ID: { description: 'ID of the owner. Items without an owner sort first.' },
  },
});

@InputType('PendingApprovalOrder', { description: 'Order of items that wait for approvals.' })
export class QueueOrder {
  @Field(() => QueueOrderField, { description: 'Field to order by.' })
  field!: keyof typeof QueueOrderField;

  @Field(() => Direction, { defaultValue: 'ASC', description: 'Sort direction.' })
  direction!: keyof typeof Direction;
}

/** Maximum number of orders in one list. */
export const mostOrders: number = Object.keys(QueueOrderField).length;

@InputType('PendingApprovalFilter', {
  description: 'Conditions on items that wait for approvals. Items must meet all of them.',
})
export class QueueFilter {
  @Field(() => ofEnumeration(ApprovalItemType).input, { nullable: true, description: 'Kind of item.' })
  kind?: object | null;

  @Field(() => ofId.input, {
    nullable: true,
    description: 'ID of the owner: the user of an image or a biography, or the owner of a sponsor and its images.',
  })
  ownerId?: object | null;

  @Field(() => ofInstants.input, { nullable: true, description: 'Creation time of the item.' })
  createdAt?: object | null;
}
