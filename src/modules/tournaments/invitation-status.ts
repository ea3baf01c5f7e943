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
  description: 'What has become of the invitation of a partner.',
  valuesConfig: {
    PENDING: { description: 'The partner has not answered yet. The team keeps its place meanwhile.' },
    CONFIRMED: { description: 'The partner plays.' },
    DECLINED: { description: 'The partner does not play: the team has lost its place.' },
    WITHDRAWN: { description: 'One of the two players has withdrawn the team.' },
  },
});
