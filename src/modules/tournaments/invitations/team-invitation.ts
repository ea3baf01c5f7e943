import { id, instant, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { Team } from '../players/team.js';
import { TournamentEvent } from '../tournament-event.js';
import { TeamInvitationStatus } from './invitation-status.js';
import { visibleInvitations } from './visible-invitations.js';

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
  'An invitation to a player to be the partner in a team. Users see the invitations that they sent or received, platforms see all.',
)
export class TeamInvitation extends TrackedRecord {
  @id('ID of the invitation, assigned by the server.')
  id!: string;

  @ref(() => Team, { one: 'team', many: 'invitations' }, 'Team of the invitation. Null after it was declined or withdrawn.')
  teamId!: string | null;

  @ref(() => TournamentEvent, { one: 'event' }, 'Event of the team.', { index: false })
  eventId!: string | null;

  @ref(() => User, { one: 'inviter' }, 'User who registered the team.')
  inviterId!: string | null;

  @ref(() => User, { one: 'user' }, 'Invited user. For an invitation to an e-mail address, null until it is answered.')
  userId!: string | null;

  @text('Invited e-mail address, in lower case. Null if a user is invited by ID.', { max: 254, format: emailFormat, index: true })
  email!: string | null;

  @values(TeamInvitationStatus, 'Status of the invitation.', { required: true })
  status!: TeamInvitationStatus;

  @instant('When the partner confirmed or declined.')
  answeredAt!: string | null;
}
