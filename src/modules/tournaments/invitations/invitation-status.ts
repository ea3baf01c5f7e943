import { registerEnumType } from 'type-graphql';

export const TeamInvitationStatus = {
  PENDING: 'PENDING',
  CONFIRMED: 'CONFIRMED',
  DECLINED: 'DECLINED',
  WITHDRAWN: 'WITHDRAWN',
} as const;
export type TeamInvitationStatus = keyof typeof TeamInvitationStatus;

registerEnumType(TeamInvitationStatus, {
  name: 'TeamInvitationStatus',
  description: 'Status of an invitation to a team.',
  valuesConfig: {
    PENDING: { description: 'The partner has not answered yet. The place of the team is reserved.' },
    CONFIRMED: { description: 'The partner has confirmed.' },
    DECLINED: { description: 'The partner has declined. The team was deleted.' },
    WITHDRAWN: { description: 'One of the two players has withdrawn from the event. The team was deleted.' },
  },
});
