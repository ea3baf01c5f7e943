import { emailForm } from '../../kernel/declare/email.js';
import { id, instant, ref, text, values } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { TeamInvitationStatus } from './invitation-status.js';
import { Team } from './team.js';
import { TournamentEvent } from './tournament-event.js';
import { visibleInvitations } from './visible-invitations.js';

@record(
  {
    table: 'team_invitation',
    changesBy: ['inviterId', 'userId'],
    one: 'teamInvitation',
    many: 'teamInvitations',
    read: [platform, user],
    write: { by: [], owner: 'userId' },
    rootFields: ['one', 'many'],
    visible: visibleInvitations,
  },
  'The question to a player whether they play as the partner in a team that somebody has registered. Users see those that they sent or received, platforms all.',
)
export class TeamInvitation extends Kept {
  @id('Id of the invitation, assigned by the server.')
  id!: string;

  @ref(() => Team, { one: 'team', many: 'invitations' }, 'The team; once it was declined or withdrawn there is none any more.')
  teamId!: string | null;

  @ref(() => TournamentEvent, { one: 'event' }, 'The event in which the team is entered.', { index: false })
  eventId!: string | null;

  @ref(() => User, { one: 'inviter' }, 'Who has registered the team and invites.')
  inviterId!: string | null;

  @ref(() => User, { one: 'user' }, 'Who is invited; of an invitation to an e-mail address unset until it is answered.')
  userId!: string | null;

  @text('E-mail address that is invited, in lower case; unset where a user is.', { max: 254, form: emailForm, index: true })
  email!: string | null;

  @values(TeamInvitationStatus, 'What has become of it.', { required: true })
  status!: TeamInvitationStatus;

  @instant('When the partner answered.')
  answeredAt!: string | null;
}
