import { expression, type RowReference, type SqlExpression, tableNamed } from '../../../kernel/declare/expression.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { selectionOf } from '../../../kernel/read/list.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { Role } from '../../reference/records/role.js';

/**
 * Returns SQL for a `with` clause that defines `held(user_id, role_id)`, the direct and inherited roles of users. `users` is the SQL that
 * follows `from`: a table or subquery with the columns `id` and `role_ids`, optionally with a `where` clause.
 */
export const heldRoles = (users: string): string => `
  with recursive held(user_id, role_id) as (
    select id, unnest(role_ids) from ${users}
    union select held.user_id, unnest(role.inherited_ids) from held join role on role.id = held.role_id)`;

/** Returns the SQL condition that the user in the row has a role with one of these titles, directly or by inheritance. */
export const hasRole = (titles: SqlExpression, row: RowReference): SqlExpression => expression`(${row}.role_ids && array(
  with recursive holding(id) as (
    select id from ${tableNamed('role')} where title = any(${titles})
    union select role.id from ${tableNamed('role')} join holding on holding.id = any(role.inherited_ids))
  select id from holding))`;

/** Reads the direct and inherited roles of several users with one statement. `$user` is the ID of the user. */
export const rolesOfUsers = (
  sql: Session,
  ids: readonly string[],
  columns: readonly string[],
): Promise<(RowOf<Role> & { $user: string })[]> =>
  sql.rows(
    sqlForReading(
      ['app_user', 'role'],
      `${heldRoles('app_user where id = any($1)')}
     select held.user_id as "$user", ${selectionOf(metaOf(Role), columns)} from held join role r on r.id = held.role_id order by r.position, r.id`,
    ),
    [ids],
    { $user: is.text },
  );
