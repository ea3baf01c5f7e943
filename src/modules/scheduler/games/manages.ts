import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import { staff, type Writers } from '../../../kernel/declare/policy/writers.js';

/** Callers that may write games. */
export const gameWriters: Writers = { policies: staff(), owner: 'ownerId' };

const admin = permission('ADMIN');

/**
 * Whether a caller manages a game: its owner, admins, and platforms without a user token. Without `ownerId`, whether the caller manages all
 * games.
 */
export const manages = (caller: Caller, ownerId: unknown = null): boolean =>
  caller.user ? admin.permitsCaller(caller) || caller.user.id === ownerId : caller.platform !== null;

/** Permission rule for callers who manage a game. */
export const managing: ActionRule = { columns: ['ownerId'], isAllowed: ({ ownerId }, { caller }) => manages(caller, ownerId) };
