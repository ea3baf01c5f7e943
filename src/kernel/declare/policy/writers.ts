import type { Context } from '../context.js';
import type { Row } from '../row.js';
import type { Caller } from './caller.js';
import { administrators, callerPolicy, type Policy, permission, platform, user } from './policy.js';
import { userTokenCredential } from './policy-error.js';

/** Write permissions for a record. They apply to all mutations of the record and appear in the descriptions of these mutations. */
export interface Writers {
  /** Callers who can write all rows. */
  readonly policies: readonly Policy[];
  /** Column with the ID of the user who owns a row and can write it. Default: owners cannot write. */
  readonly owner?: string;
}

/** Permits platforms, administrators, and users with one of these roles of the module (decision 37). */
export const staffPolicies = (...roles: string[]): readonly Policy[] => [platform, administrators, ...roles.map(permission)];

/** Permits no callers. Only the service writes the record, or the record is reference data. */
export const noWriters: Writers = { policies: [] };

/** Permits users to write their own rows. */
const owner = callerPolicy(
  'owner of the record',
  'the owner of the record',
  user.policyNames,
  [userTokenCredential('of the owner')],
  (caller) => caller.user !== null,
);

/** Returns the policies for the mutations of a record. */
export const policiesOfWriters = ({ policies, owner: column }: Writers): readonly Policy[] =>
  column ? [...policies, owner] : policies;

/** Whether a caller can write a row, by policy or as its owner. */
export const canWrite = ({ policies, owner: column }: Writers, { caller }: Pick<Context, 'caller'>, row: Row): boolean =>
  policies.some((policy) => policy.permitsCaller(caller)) ||
  (column !== undefined && caller.user !== null && row[column] === caller.user.id);

/** Restricts writes to the rows of one user. */
export interface OwnerRestriction {
  /** Key of the column with the owner. */
  readonly column: string;
  readonly userId: string;
}

/** Conditions for writing an existing row. */
export interface WriteRequirements {
  /** Required owner. Default: any. */
  readonly ownerRestriction?: OwnerRestriction | null;
  /** Required version. Default: any. */
  readonly ifVersion?: number | null;
}

/**
 * Returns the restriction of a caller to their own rows. Null if the caller can write all rows or is not a user, or if owners cannot write.
 */
export function ownerRestrictionOf({ policies, owner: column }: Writers, caller: Caller): OwnerRestriction | null {
  if (!column || !caller.user || policies.some((policy) => policy.permitsCaller(caller))) return null;
  return { column, userId: caller.user.id };
}
