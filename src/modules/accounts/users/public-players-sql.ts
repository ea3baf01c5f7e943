import { columnOf, metaOf, recordMetas } from '../../../kernel/declare/meta.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import type { Param } from '../../../kernel/declare/row.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { collectForText } from '../../../kernel/statement.js';

/** Whether a caller has neither a platform token nor a user token. */
export const isVisitor = ({ platform, user }: Caller): boolean => !platform && !user;

/**
 * Returns SQL conditions, one per column that refers to players. A condition is true if a public row refers to the user. With `offset 0`,
 * PostgreSQL looks up the user in the index of the column instead of hashing the entire table.
 */
const isReferenced = (user: string, param: Param): string[] =>
  recordMetas().flatMap(({ cls, options }) => {
    if (!options?.publicUsers) return [];
    const { columns, isPublic } = options.publicUsers;
    return columns.map((key) => {
      const { column } = columnOf(metaOf(cls), key);
      return `exists (select from ${param.table(options.table)} as named where named.${column} = ${user} and ${isPublic(param.for('named'))} offset 0)`;
    });
  });

/**
 * Returns the SQL condition that the user is not erased, and that public ranking points, teams or entries refer to the user. Null for
 * platforms and signed-in users, because they can see all players.
 */
export function publicPlayers(user: string, caller: Caller, param: Param): string | null {
  if (!isVisitor(caller)) return null;
  const isPresent = `exists (select from ${param.table('app_user')} as person where person.id = ${user} and person.erased_at is null)`;
  return `(${isPresent} and (${isReferenced(user, param).join(' or ')}))`;
}

/** Whether the caller of a session can see a player, as defined by `publicPlayers`. */
export async function isPublicPlayer(sql: Session, userId: string): Promise<boolean> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const condition = publicPlayers(param(userId), sql.caller, param);
  if (condition === null) return true;
  return (
    (await sql.row(sqlForReading(param.statedFacts.tables, `select ${condition} as holds`), values, { holds: is.boolean }))
      ?.holds === true
  );
}
