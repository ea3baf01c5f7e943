import { registerEnumType } from 'type-graphql';
import type { CustomFilter } from '../../kernel/declare/options.js';
import { guard, permission, platform } from '../../kernel/declare/policy.js';
import { someOf } from '../../kernel/read/own-filters.js';
import roles from '../reference/data/roles.json' with { type: 'json' };
import { holdersOf } from './held-roles-sql.js';

const RoleTitle: Readonly<Record<string, string>> = Object.fromEntries(roles.map(({ title }) => [title, title]));
registerEnumType(RoleTitle, {
  name: 'RoleTitle',
  description: 'Titles of roles.',
  valuesConfig: Object.fromEntries(roles.map(({ title }) => [title, { description: `The role ${title}.` }])),
});

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
