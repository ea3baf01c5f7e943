import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { TeamInvitation } from './team-invitation.js';
import { byAddress } from './visible-invitations.js';

/** Includes invitations to the user's verified address only for that user, and for platforms without a user token: addresses are private. */
export const teamInvitations = relatedRecords(
  User,
  'teamInvitations',
  TeamInvitation,
  ({ platform, user }, param) => {
    const { key, row } = param;
    const address = byAddress(key, param);
    const byId = `${row}.user_id = ${key}`;
    if (!user) return platform ? `${byId} or ${address}` : byId;
    return `${byId} or ${key} = ${param(user.id)} and ${address}`;
  },
  'Invitations of the user to teams, by ID or by e-mail address. Users see the invitations that they sent or received, platforms see all.',
);
