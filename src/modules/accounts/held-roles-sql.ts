import { selectionOf } from '../../kernel/list.js';
import { metaOf } from '../../kernel/meta.js';
import type { Row, Sql } from '../../kernel/sql.js';
import { Role } from '../reference/role.js';

/** The roles that a user `u` holds, as `held`: those held directly, and what these inherit at any depth. */
export const heldRoles = `
  with recursive held as (
    select role.* from role where role.id = any(u.role_ids)
    union select role.* from role join held on role.id = any(held.inherited_ids))`;

/** The roles of many users in one statement; `$user` says whose. */
export const rolesOfUsers = (
  sql: Sql,
  ids: readonly string[],
  columns: readonly string[],
): Promise<(Row & { $user: string })[]> =>
  sql.rows<Row & { $user: string }>(
    `select u.id as "$user", ${selectionOf(metaOf(Role), columns)} from app_user u cross join lateral (${heldRoles} select * from held) r
     where u.id = any($1) order by r.position, r.id`,
    [ids],
  );
