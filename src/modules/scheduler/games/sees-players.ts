import type { Restriction } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { manages } from './manages.js';

const includesId = (ids: unknown, id: string): boolean => Array.isArray(ids) && ids.includes(id);

/**
 * Restricts players, waiting users and invited users to callers who play, wait or manage the game. Everybody sees them if the game allows it
 * (decision 40).
 */
export const playersRestriction: Restriction = {
  fields: ['playerIds', 'waitingIds', 'invitedIds', 'declinedIds'],
  columns: ['ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds'],
  canSee({ ownerId, showsPlayersToInvited, playerIds, waitingIds }, caller: Caller) {
    if (showsPlayersToInvited === true || manages(caller, ownerId)) return true;
    return caller.user !== null && (includesId(playerIds, caller.user.id) || includesId(waitingIds, caller.user.id));
  },
  condition(caller, param) {
    if (manages(caller)) return null;
    const { row } = param;
    if (!caller.user) return `${row}.shows_players_to_invited`;
    const callerId = param(caller.user.id);
    const membershipConditions = ['player_ids', 'waiting_ids'].map((list) => `${row}.${list} @> array[${callerId}]::text[]`);
    return `(${[`${row}.shows_players_to_invited`, `${row}.owner_id = ${callerId}`, ...membershipConditions].join(' or ')})`;
  },
};
