import { registerEnumType } from 'type-graphql';
import { expression, parameter, type RowReference, type SqlExpression, tableNamed } from '../../../kernel/declare/expression.js';
import { id, instant, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import { isAdministrator } from '../../../kernel/declare/policy/caller.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { Team } from '../players/team.js';
import { TournamentEvent } from '../tournament-event.js';

const TeamInvitationStatus = {
  PENDING: 'PENDING',
  CONFIRMED: 'CONFIRMED',
  DECLINED: 'DECLINED',
  WITHDRAWN: 'WITHDRAWN',
} as const;
type TeamInvitationStatus = keyof typeof TeamInvitationStatus;

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

type VisibleRows = NonNullable<RecordOptions['visibleCondition']>;

/** Returns the SQL condition that the invitation was sent to the verified email address of a user. */
export const isSentToAddressOf = (user: SqlExpression, row: RowReference) =>
  expression`${row}.email in (select u.email from ${tableNamed('app_user')} u where u.id = ${user} and u.verified_at is not null)`;

/** Returns the SQL condition for visible invitations. Inviters and invitees see their invitations. Platforms and admins see all. */
const visibleInvitations: VisibleRows = (caller, row) => {
  if (caller.platform || isAdministrator(caller)) return null;
  const callerId = parameter(caller.user?.id ?? '');
  return expression`(${row}.inviter_id = ${callerId} or ${row}.user_id = ${callerId} or ${isSentToAddressOf(callerId, row)})`;
};

@record(
  {
    table: 'team_invitation',
    changeLogColumns: ['inviterId', 'userId'],
    one: 'teamInvitation',
    many: 'teamInvitations',
    read: [platform, user],
    write: { policies: [], owner: 'userId' },
    rootFields: ['one', 'many'],
    visibleCondition: visibleInvitations,
  },
  'Invitation of a player to be the partner in a team. Users see the invitations that they sent or received. Platforms and users with the role ADMIN see all.',
)
export class TeamInvitation extends TrackedRecord {
  @id('ID of the invitation, assigned by the server.')
  id!: string;

  @ref(
    () => Team,
    { one: 'team', many: 'invitations' },
    'Team that the player is invited to. Null after the invitation was declined or withdrawn.',
  )
  teamId!: string | null;

  @ref(() => TournamentEvent, { one: 'event' }, 'Event that the team entered.', { index: false })
  eventId!: string | null;

  @ref(() => User, { one: 'inviter' }, 'User who registered the team.')
  inviterId!: string | null;

  @ref(() => User, { one: 'user' }, 'Invited user. For an invitation to an email address, null until it is answered.')
  userId!: string | null;

  @text('Invited email address, in lower case. Null if a user is invited by ID.', { max: 254, format: emailFormat, index: true })
  email!: string | null;

  @values(TeamInvitationStatus, 'Status of the invitation.', { required: true })
  status!: TeamInvitationStatus;

  @instant('When the partner confirmed or declined.')
  answeredAt!: string | null;
}
