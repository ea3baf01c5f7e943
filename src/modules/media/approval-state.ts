import { registerEnumType } from 'type-graphql';

/** Where an item stands in its approval (section 3). */
export const ApprovalState = { PENDING: 'PENDING', APPROVED: 'APPROVED', DECLINED: 'DECLINED' } as const;
export type ApprovalState = keyof typeof ApprovalState;
registerEnumType(ApprovalState, {
  name: 'ApprovalState',
  description: 'Where an item stands in its approval.',
  valuesConfig: {
    PENDING: { description: 'It waits for approvals.' },
    APPROVED: { description: 'It has the approvals that it needs, or needs none, and is shown to everybody.' },
    DECLINED: {
      description:
        'The item was declined. Only user images and biographies can be declined. The owner can submit the item again with `resubmitItem`.',
    },
  },
});

/** What is approved: the item types of section 2.9. */
export const ApprovalItemType = {
  SPONSOR: 'SPONSOR',
  SPONSOR_IMAGE: 'SPONSOR_IMAGE',
  USER_IMAGE: 'USER_IMAGE',
  BIOGRAPHY: 'BIOGRAPHY',
} as const;
export type ApprovalItemType = keyof typeof ApprovalItemType;
registerEnumType(ApprovalItemType, {
  name: 'ApprovalItemType',
  description: 'Kind of item that is approved.',
  valuesConfig: {
    SPONSOR: { description: "A user's sponsor." },
    SPONSOR_IMAGE: { description: 'An image of a sponsor.' },
    USER_IMAGE: { description: 'An image of a user.' },
    BIOGRAPHY: { description: 'A biography of a user.' },
  },
});
