import { columnOf, columnsOf, columnTypes, metaOf } from '../../../kernel/declare/meta.js';
import { sqlForWriting } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import { Game } from '../games/game.js';

/** Fields that are computed for each repetition. */
const computedKeys = [
  'id',
  'parentId',
  'occursOn',
  'day',
  'startsAt',
  'endsAt',
  'localDayRaw',
  'localStartsAt',
  'localEndsAt',
  'timeZoneAbbreviation',
  'utcOffset',
] as const;
export type GameDraft = Pick<Game, (typeof computedKeys)[number]>;

/** Fields that are not copied from the first game. */
const excludedKeys = new Set<string>([
  ...computedKeys,
  'skippedDays',
  'invitationKey',
  'playerIds',
  'waitingIds',
  'createdAt',
  'createdBy',
  'createdById',
  'updatedAt',
  'updatedBy',
  'updatedById',
  'version',
]);

/** SQL expression for the initial players: only the owner, if they play in the first game. Other players opt in to each date. */
const initialPlayers = `case when p.owner_id = any(p.player_ids) then array[p.owner_id] else '{}' end`;

function insertStatement(): string {
  const meta = metaOf(Game);
  const computedColumns = computedKeys.map((key) => columnOf(meta, key));
  const copiedColumns = [...columnsOf(meta).values()].filter(({ key }) => !excludedKeys.has(key)).map(({ column }) => column);
  return `insert into game (${computedColumns.map(({ column }) => column).join(', ')}, player_ids, ${copiedColumns.join(', ')})
    select ${computedColumns.map(({ key }) => `o."${key}"`).join(', ')}, ${initialPlayers}, ${copiedColumns.map((column) => `p.${column}`).join(', ')}
    from jsonb_to_recordset($1) as o(${computedColumns.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ')})
    join game p on p.id = o."parentId"
    on conflict (parent_id, occurs_on) do nothing returning id`;
}

/** Inserts the repetitions that do not exist yet. Returns the number of inserted rows. */
export const insertOccurrences = async (sql: Session, drafts: readonly GameDraft[]): Promise<number> =>
  drafts.length === 0
    ? 0
    : (await sql.rows(sqlForWriting(['game'], insertStatement(), ['game']), [JSON.stringify(drafts)])).length;
