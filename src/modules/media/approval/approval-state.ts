import { registerEnumType } from 'type-graphql';

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
