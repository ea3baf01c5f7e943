import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { TeamInvitation } from './team-invitation.js';
import { byAddress } from './visible-invitations.js';

/** Relation `User.teamInvitations`. Addresses are private, so only the user and platforms without a user token see invitations to the address. */
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
