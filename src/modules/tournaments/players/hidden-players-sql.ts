import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { collectForText } from '../../../kernel/statement.js';
import { tournamentHides } from './visible-players.js';

/** Whether a tournament hides its players now, or hid them when it was deleted or at a position in the change log. */
export async function hidPlayersAt(sql: Session, tournamentId: string, position: number): Promise<boolean> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const conditions = tournamentHides(param(tournamentId), param.at(`${param(position)}::bigint`));
  const text = `select ${conditions.join(' or ')} as "areHidden"`;
  const row = await sql.row(sqlForReading(param.statedFacts.tables, text, param.statedFacts), values, { areHidden: is.boolean });
  return row?.areHidden ?? true;
}
