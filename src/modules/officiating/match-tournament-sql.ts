import { sqlForReading } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** Whether the tournament contains one of the given teams, or a team in a prematch or pregame of the given matches. */
export async function isMatchOfTournament(
  sql: Session,
  tournamentId: string,
  teamIds: readonly string[],
  matchIds: readonly string[],
): Promise<boolean> {
  const row = await sql.row(
    sqlForReading(
      ['team', 'prematch', 'pregame'],
      `select exists (
       select from team t where t.tournament_id = $1 and t.id = any(
         $2::text[]
         || array(select p.coin_toss_team_id from prematch p where p.match_id = any($3))
         || array(select unnest(array[g.serving_team_id, g.receiving_team_id, g.left_team_id, g.right_team_id])
                  from pregame g where g.match_id = any($3)))
     ) as result`,
    ),
    [tournamentId, teamIds, matchIds],
    { result: is.boolean },
  );
  return row?.result ?? false;
}
