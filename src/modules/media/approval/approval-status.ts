import { registerEnumType } from 'type-graphql';
import { instant, int, text, values } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';

/** Approval states of items (section 3). */
export const ApprovalState = { PENDING: 'PENDING', APPROVED: 'APPROVED', DECLINED: 'DECLINED' } as const;
export type ApprovalState = keyof typeof ApprovalState;
registerEnumType(ApprovalState, {
  name: 'ApprovalState',
  description: 'Approval state of an item.',
  valuesConfig: {
    PENDING: { description: 'The item needs more approvals.' },
    APPROVED: { description: 'The item has all required approvals, and is visible to all callers.' },
    DECLINED: {
      description:
        'The item was declined. Only user images and biographies can be declined. The owner can submit the item again with `resubmitItem`.',
    },
  },
});

/** Types of items with an approval (section 2.9). */
export const ApprovalItemType = {
  SPONSOR: 'SPONSOR',
  SPONSOR_IMAGE: 'SPONSOR_IMAGE',
  USER_IMAGE: 'USER_IMAGE',
  BIOGRAPHY: 'BIOGRAPHY',
} as const;
export type ApprovalItemType = keyof typeof ApprovalItemType;
registerEnumType(ApprovalItemType, {
  name: 'ApprovalItemType',
  description: 'Type of an item with an approval.',
  valuesConfig: {
    SPONSOR: { description: 'Sponsor of a user.' },
    SPONSOR_IMAGE: { description: 'Image of a sponsor.' },
    USER_IMAGE: { description: 'Image of a user.' },
    BIOGRAPHY: { description: 'Biography of a user.' },
  },
});

@value('Approval status of an item.')
export class ApprovalStatus {
  @values(ApprovalState, 'Approval state of the item.', { required: true, default: "'PENDING'" })
  state!: ApprovalState;

  @int('Number of required approvals, 0 to 2.', { required: true, default: '1' })
  required!: number;

  @int('Number of approvals so far.', { required: true, default: '0' })
  given!: number;

  @instant('When the item was declined. Null if it was not.')
  declinedAt!: string | null;

  @text('Reason for the decline. Null if the item was not declined.')
  declineReason!: string | null;
}
