import { enumeration } from '../../../kernel/declare/enumeration.js';
import { instant, int, text, values } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';

/** Approval states of items (section 3). */
export const ApprovalState = enumeration('ApprovalState', 'Approval state of an item.', {
  PENDING: 'The item needs more approvals.',
  APPROVED: 'The item has all required approvals and is published.',
  DECLINED:
    'The item was declined. Only user images and biographies can be declined. The owner can submit the item again with `resubmitItem`.',
});
export type ApprovalState = keyof typeof ApprovalState;

/** Types of items with an approval (section 2.9). */
export const ApprovalItemType = enumeration('ApprovalItemType', 'Type of an item that needs approval.', {
  SPONSOR: 'Sponsor of a user.',
  SPONSOR_IMAGE: 'Image of a sponsor.',
  USER_IMAGE: 'Image of a user.',
  BIOGRAPHY: 'Biography of a user.',
});
export type ApprovalItemType = keyof typeof ApprovalItemType;

@value('Approval status of an item.')
export class ApprovalStatus {
  @values(ApprovalState, 'Approval state of the item.', { required: true, default: "'PENDING'" })
  state!: ApprovalState;

  @int('Number of required approvals, 0 to 2.', { required: true, default: '1' })
  required!: number;

  @int('Number of approvals so far.', { required: true, default: '0' })
  given!: number;

  @instant('When the item was declined. Null if it was not declined.')
  declinedAt!: string | null;

  @text('Reason for the decline. Null if the item was not declined.')
  declineReason!: string | null;
}
