import type { Caller } from '../../kernel/declare/caller.js';
import { recordNamed } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Param } from '../../kernel/declare/row.js';
import { visibleRows } from '../../kernel/read/visible.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { collect } from '../../kernel/statement.js';
import { placeholder } from '../../kernel/write/erase-person-sql.js';

/** Whether a caller is a visitor: without a platform token and without a user token. */
export const isVisitor = ({ platform, user }: Caller): boolean => !platform && !user;

/** SQL: visitors may read the row `alias` of a record. */
function isPublic(record: string, alias: string, caller: Caller, param: Param): string {
  const visible = visibleRows(recordNamed(record), caller, param);
  return visible ? visible.replace(/\br\./g, `${alias}.`) : 'true';
}

const tableOf = (record: string): string => optionsOf(recordNamed(record)).table;

/**
 * SQL: the user with this ID is in ranking points or final standings that visitors may read, is not erased, and has claimed the account with
 * a verified address or a password. Null for platforms and users, who see all players.
 */
export function publicPlayers(user: string, caller: Caller, param: Param): string | null {
  if (!isVisitor(caller)) return null;
  const points = isPublic('RankingPoints', 'points', caller, param);
  const results = `${isPublic('Team', 'side', caller, param)} and ${isPublic('FinalStanding', 'standing', caller, param)}`;
  return `(exists (select from app_user as person where person.id = ${user}
        and (person.verified_at is not null or person.password_hash is not null)
        and not (person.email is null and person.first_name = '${placeholder.firstName}' and person.last_name = '${placeholder.lastName}'))
      and (exists (select from ${tableOf('RankingPoints')} as points where points.player_id = ${user} and ${points})
        or exists (select from ${tableOf('Team')} as side join ${tableOf('FinalStanding')} as standing on standing.team_id = side.id
          where (side.player_one_id = ${user} or side.player_two_id = ${user}) and ${results})))`;
}

/** Whether the caller of a session may see a user as a player: see `publicPlayers`. */
export async function isPublicPlayer(sql: Session, userId: string): Promise<boolean> {
  const values: unknown[] = [];
  const param = collect(values);
  const condition = publicPlayers(param(userId), sql.caller, param);
  if (condition === null) return true;
  return (await sql.row(`select ${condition} as holds`, values, { holds: is.boolean }))?.holds === true;
}
