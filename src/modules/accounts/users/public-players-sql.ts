import {
  anyOf,
  expression,
  mainRow,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../../kernel/declare/expression.js';
import { columnOf, metaOf, recordMetas } from '../../../kernel/declare/meta.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { readingSql } from '../../../kernel/statement.js';

/** Whether a caller has neither a platform token nor a user token. */
export const isVisitor = ({ platform, user }: Caller): boolean => !platform && !user;

/**
 * Returns SQL conditions, one per column that refers to players. A condition is true if a public row refers to the user. With `offset 0`,
 * PostgreSQL looks up the user in the index of the column instead of hashing the entire table.
 */
const isReferenced = (user: SqlExpression, row: RowReference): SqlExpression[] =>
  recordMetas().flatMap(({ cls, options }) => {
    if (!options?.publicUsers) return [];
    const { columns, isPublic } = options.publicUsers;
    const named = row.for('named');
    return columns.map((key) => {
      const isUser = expression`${named.column(columnOf(metaOf(cls), key).column)} = ${user}`;
      return expression`exists (select from ${tableNamed(options.table)} as named where ${isUser} and ${isPublic(named)} offset 0)`;
    });
  });

/**
 * Returns the SQL condition that the user is not erased, and that public ranking points, teams or entries refer to the user. Null for
 * platforms and signed-in users, because they can see all players.
 */
export function publicPlayers(user: SqlExpression, caller: Caller, row: RowReference): SqlExpression | null {
  if (!isVisitor(caller)) return null;
  const isPresent = expression`exists (select from ${tableNamed('app_user')} as person where person.id = ${user} and person.erased_at is null)`;
  return expression`(${isPresent} and (${anyOf(isReferenced(user, row))}))`;
}

/** Whether the caller of a session can see a player, as defined by `publicPlayers`. */
export async function isPublicPlayer(sql: Session, userId: string): Promise<boolean> {
  const condition = publicPlayers(parameter(userId), sql.caller, mainRow);
  if (condition === null) return true;
  const row = await sql.row(...readingSql(expression`select ${condition} as holds`), { holds: is.boolean });
  return row?.holds === true;
}
