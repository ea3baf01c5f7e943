import type { CustomFilter } from '../../kernel/declare/options.js';
import { guard, permission, platform } from '../../kernel/declare/policy.js';
import { someOf } from '../../kernel/read/own-filters.js';
import { RoleTitle } from '../reference/role.js';
import { holdersOf } from './held-roles-sql.js';

const readers = [platform, permission('ADMIN')];
const holding = someOf(
  RoleTitle,
  'Users who hold a role, directly or by inheritance. For: platforms; users with the role ADMIN.',
  (wanted, param) => holdersOf('r', `${param([...wanted])}::text[]`),
);

/** The filter of users by their roles. */
export const roleFilter: CustomFilter = {
  ...holding,
  sql(value, param, caller, path) {
    guard(readers, caller, undefined, path);
    return holding.sql(value, param, caller, path);
  },
};
