import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { TeamInvitation } from './team-invitation.js';
import { byAddress } from './visible-invitations.js';

/** Whose an invited address is, is told to that person alone, and to platforms where no user token says who acts. */
export const teamInvitations = related(
  User,
  'teamInvitations',
  TeamInvitation,
  ({ platform, user }, param) => {
    const address = byAddress('p.key');
    if (!user) return platform ? `r.user_id = p.key or ${address}` : 'r.user_id = p.key';
    return `r.user_id = p.key or p.key = ${param(user.id)} and ${address}`;
  },
  'The invitations to play in a team that the person has, by id or by their e-mail address. Users see those that they sent or received, platforms all.',
);
