import { anyOf, expression, parameter } from '../../../kernel/declare/expression.js';
import type { ActionRule, IdListRestriction, RecordOptions } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies, type Writers } from '../../../kernel/declare/policy/writers.js';
import { isMember } from './members.js';

/** Callers who can write games: platforms and admins, and users for their own games. */
export const gameWriters: Writers = { policies: staffPolicies(), owner: 'ownerId' };

const admin = permission('ADMIN');

/**
 * Whether the caller manages the games of an owner. True for the owner, admins and platforms without a user token. Without `ownerId`,
 * returns whether the caller manages all games.
 */
export const canManage = (caller: Caller, ownerId: unknown = null): boolean =>
  caller.user ? admin.permitsCaller(caller) || caller.user.id === ownerId : caller.platform !== null;

/** Permission rule for actions that only callers who manage the game may perform. */
export const managerRule: ActionRule = {
  columns: ['ownerId'],
  isAllowed: ({ ownerId }, { caller }) => canManage(caller, ownerId),
};

/**
 * Returns the SQL condition for visible games (decision 32). Public games are visible to everybody. Invite-only games are visible to
 * their owner, players, waiting users and invited users. Super admins see all games.
 */
export const visibleGames: NonNullable<RecordOptions['visibleCondition']> = ({ user }, row) => {
  if (!user) return expression`not ${row}.is_invite_only`;
  if (user.isSuperAdmin) return null;
  const callerId = parameter(user.id);
  return expression`(not ${row}.is_invite_only or ${row}.owner_id = ${callerId} or ${isMember(row, callerId)})`;
};

const includesId = (ids: unknown, id: string): boolean => Array.isArray(ids) && ids.includes(id);

/**
 * Shows players and waiting, invited and declined users only to players, waiting users and callers who manage the game. If the game shows
 * its players to everybody, all callers see them (decision 40).
 */
export const playersRestriction: IdListRestriction = {
  fields: ['playerIds', 'waitingIds', 'invitedIds', 'declinedIds'],
  columns: ['ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds'],
  canSee({ ownerId, showsPlayersToInvited, playerIds, waitingIds }, caller: Caller) {
    if (showsPlayersToInvited === true || canManage(caller, ownerId)) return true;
    return caller.user !== null && (includesId(playerIds, caller.user.id) || includesId(waitingIds, caller.user.id));
  },
  condition(caller, row) {
    if (canManage(caller)) return null;
    const isShown = row.column('shows_players_to_invited');
    if (!caller.user) return isShown;
    const callerId = parameter(caller.user.id);
    const membershipConditions = ['player_ids', 'waiting_ids'].map(
      (list) => expression`${row.column(list)} @> array[${callerId}]::text[]`,
    );
    return expression`(${anyOf([isShown, expression`${row}.owner_id = ${callerId}`, ...membershipConditions])})`;
  },
};
