import type { Caller } from '../../kernel/declare/caller.js';
import type { Can } from '../../kernel/declare/options.js';
import { permission } from '../../kernel/declare/policy.js';
import { staff, type Writers } from '../../kernel/declare/writers.js';

/** Who schedules, changes and deletes games. */
export const gameWriters: Writers = { by: staff(), owner: 'ownerId' };

const admin = permission('ADMIN');

/**
 * Whether a caller may do with a game what its owner may: the owner, admins, and platforms where no user token says who acts. Without an
 * owner: whether they may so with every game.
 */
export const manages = (caller: Caller, ownerId: unknown = null): boolean =>
  caller.user ? admin.maybe(caller) || caller.user.id === ownerId : caller.platform !== null;

/** The same of a game as it is read. */
export const managing: Can = { reads: ['ownerId'], allows: ({ ownerId }, { caller }) => manages(caller, ownerId) };
