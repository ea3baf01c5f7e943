import { Field, ID, InterfaceType } from 'type-graphql';
import { ViewerCan } from '../../../kernel/serve/viewer-can.js';
import { ApprovalStatus } from './approval-status.js';

@InterfaceType('ApprovalItem', {
  description: 'Item that needs approvals: a sponsor, an image of a sponsor, or an image or biography of a user.',
})
export class ApprovalItem {
  @Field(() => ID, { description: 'ID of the item. Unique within its type.' })
  id!: string;

  @Field(() => ApprovalStatus, { description: 'Approval status of the item.' })
  approval!: ApprovalStatus;

  @Field(() => ViewerCan, { description: 'Actions that the caller may perform on the item.' })
  viewerCan!: object;
}
