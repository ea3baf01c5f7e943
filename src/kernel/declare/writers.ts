import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { administrators, byCaller, type Policy, permission, platform, user } from './policy.js';
import type { Row } from './row.js';

/** Who writes a record, said once: every root field that it has reads it, and so do its descriptions. */
export interface Writers {
  /** Callers who write any row. */
  readonly by: readonly Policy[];
  /** The column that says whose a row is: that user writes it, too, and no row of anybody else. */
  readonly owner?: string;
}

/** Platforms, admins, and users with one of these roles of the record's module (decision 37). */
export const staff = (...roles: string[]): readonly Policy[] => [platform, administrators, ...roles.map(permission)];

/** Nobody through a rootField: the service writes it itself, or it comes with the service. */
export const nobodyWrites: Writers = { by: [] };

/** A user, as far as a row is their own. */
const owner = byCaller('the user whose it is', 'the user whose it is', user.rights, (caller) => caller.user !== null);

/** The policies of a root field that writes. */
export const policiesOfWriters = ({ by, owner: column }: Writers): readonly Policy[] => (column ? [...by, owner] : by);

/** Whether a caller writes a row: any, or as its owner. */
export const mayWrite = ({ by, owner: column }: Writers, { caller }: Pick<Context, 'caller'>, row: Row): boolean =>
  by.some((policy) => policy.maybe(caller)) || (column !== undefined && caller.user !== null && row[column] === caller.user.id);

/** Rows of one user: what a caller may write who writes no others. */
export interface OwnRows {
  /** Key of the column that says whose a row is. */
  readonly column: string;
  readonly userId: string;
}

/** On which terms a row that is there is written. */
export interface WriteTerms {
  /** Whose it has to be; anybody's without it. */
  readonly held?: OwnRows | null;
  /** The version that it has to have; any without it. */
  readonly ifVersion?: number | null;
}

/** The rows to which a caller is held; null for a caller who writes any. */
export function heldTo({ by, owner: column }: Writers, caller: Caller): OwnRows | null {
  if (!column || !caller.user || by.some((policy) => policy.maybe(caller))) return null;
  return { column, userId: caller.user.id };
}
