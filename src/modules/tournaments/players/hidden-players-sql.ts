import { anyOf, expression, mainRow, parameter } from '../../../kernel/declare/expression.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { readingSql } from '../../../kernel/statement.js';
import { tournamentHides } from './visible-players.js';

/** Whether a tournament hides its players now, or hid them when it was deleted or at a position in the change log. */
export async function hidPlayersAt(sql: Session, tournamentId: string, position: number): Promise<boolean> {
  const conditions = tournamentHides(parameter(tournamentId), mainRow.at(expression`${parameter(position)}::bigint`));
  const row = await sql.row(...readingSql(expression`select ${anyOf(conditions)} as "areHidden"`), { areHidden: is.boolean });
  return row?.areHidden ?? true;
}
