import type { CustomFilter } from '../../../kernel/declare/fields/options.js';
import { guard, permission, platform } from '../../../kernel/declare/policy/policy.js';
import { enumListFilter } from '../../../kernel/read/conditions/custom-filters.js';
import { RoleTitle } from '../../reference/records/role.js';
import { hasRole } from './held-roles-sql.js';

const allowedCallers = [platform, permission('ADMIN')];
const filter = enumListFilter(
  RoleTitle,
  'Users who have one of these roles, directly or by inheritance. For: platforms; users with the role ADMIN.',
  (titles, param) => hasRole(`${param([...titles])}::text[]`, param),
);

/** Filter of users by role. */
export const roleFilter: CustomFilter = {
  ...filter,
  sql(value, param, caller, path) {
    guard(allowedCallers, caller, undefined, path);
    return filter.sql(value, param, caller, path);
  },
};
