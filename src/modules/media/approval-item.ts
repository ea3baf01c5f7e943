import { Field, ID, InterfaceType } from 'type-graphql';
import { ViewerCan } from '../../kernel/serve/viewer-can.js';
import { ApprovalStatus } from './approval-status.js';

@InterfaceType('ApprovalItem', {
  description: 'What is approved: a sponsor, an image of a sponsor, or an image or a biography of a user.',
})
export class ApprovalItem {
  @Field(() => ID, { description: 'Id of the item, among those of its kind.' })
  id!: string;

  @Field(() => ApprovalStatus, { description: 'Where it stands in its approval.' })
  approval!: ApprovalStatus;

  @Field(() => ViewerCan, { description: 'Actions that the caller may perform on it.' })
  viewerCan!: object;
}
