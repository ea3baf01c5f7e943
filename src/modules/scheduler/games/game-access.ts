import type { ActionRule, RecordOptions, Restriction } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies, type Writers } from '../../../kernel/declare/policy/writers.js';
import { isMember } from './members.js';

/** Callers who can write games: platforms and admins, and users for their own games. */
export const gameWriters: Writers = { policies: staffPolicies(), owner: 'ownerId' };

const admin = permission('ADMIN');

/**
 * Whether the caller manages the games of an owner. True for the owner, admins and platforms without a user token. Without `ownerId`,
 * whether the caller manages all games.
 */
export const canManage = (caller: Caller, ownerId: unknown = null): boolean =>
  caller.user ? admin.permitsCaller(caller) || caller.user.id === ownerId : caller.platform !== null;

/** Permission rule for actions that only callers who manage the game may perform. */
export const managerRule: ActionRule = {
  columns: ['ownerId'],
  isAllowed: ({ ownerId }, { caller }) => canManage(caller, ownerId),
};

/**
 * Returns the SQL condition for visible games (decision 32). Public games are visible to everybody. Games by invitation are visible to
 * their owner, players, waiting users and invited users. Super admins see all games.
 */
export const visibleGames: NonNullable<RecordOptions['visibleCondition']> = ({ user }, param) => {
  const { row } = param;
  if (!user) return `not ${row}.is_invite_only`;
  if (user.isSuperAdmin) return null;
  const callerId = param(user.id);
  return `(not ${row}.is_invite_only or ${row}.owner_id = ${callerId} or ${isMember(row, callerId)})`;
};

const includesId = (ids: unknown, id: string): boolean => Array.isArray(ids) && ids.includes(id);

/**
 * Shows players, waiting users and invited users only to callers who play, wait or manage the game. If the game allows it, everybody sees
 * them (decision 40).
 */
export const playersRestriction: Restriction = {
  fields: ['playerIds', 'waitingIds', 'invitedIds', 'declinedIds'],
  columns: ['ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds'],
  canSee({ ownerId, showsPlayersToInvited, playerIds, waitingIds }, caller: Caller) {
    if (showsPlayersToInvited === true || canManage(caller, ownerId)) return true;
    return caller.user !== null && (includesId(playerIds, caller.user.id) || includesId(waitingIds, caller.user.id));
  },
  condition(caller, param) {
    if (canManage(caller)) return null;
    const { row } = param;
    if (!caller.user) return `${row}.shows_players_to_invited`;
    const callerId = param(caller.user.id);
    const membershipConditions = ['player_ids', 'waiting_ids'].map((list) => `${row}.${list} @> array[${callerId}]::text[]`);
    return `(${[`${row}.shows_players_to_invited`, `${row}.owner_id = ${callerId}`, ...membershipConditions].join(' or ')})`;
  },
};
