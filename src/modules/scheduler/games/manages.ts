import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import { staff, type Writers } from '../../../kernel/declare/policy/writers.js';

/** Writers of games: platforms and admins, and users for their own games. */
export const gameWriters: Writers = { policies: staff(), owner: 'ownerId' };

const admin = permission('ADMIN');

/**
 * Whether the caller manages the games of an owner. Owners, admins and platforms without a user token do. Without `ownerId`, whether the caller
 * manages all games.
 */
export const manages = (caller: Caller, ownerId: unknown = null): boolean =>
  caller.user ? admin.permitsCaller(caller) || caller.user.id === ownerId : caller.platform !== null;

/** Permission rule for actions of callers who manage the game. */
export const managerRule: ActionRule = { columns: ['ownerId'], isAllowed: ({ ownerId }, { caller }) => manages(caller, ownerId) };
