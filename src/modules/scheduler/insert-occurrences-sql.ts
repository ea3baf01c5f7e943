import { columnOf, columnsOf, columnTypes, metaOf } from '../../kernel/declare/meta.js';
import type { Session } from '../../kernel/session.js';
import { Game } from './game.js';

/** What an occurrence is given of its own. */
const given = [
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
export type GameDraft = Pick<Game, (typeof given)[number]>;

/** All that it does not take over from the first game, whose invitations it has. */
const own = new Set<string>([
  ...given,
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

/** Players opt in to a date, so nobody is in an occurrence from the start but the owner who plays in the first game. */
const players = `case when p.owner_id = any(p.player_ids) then array[p.owner_id] else '{}' end`;

function insertText(): string {
  const meta = metaOf(Game);
  const drafted = given.map((key) => columnOf(meta, key));
  const takenOver = [...columnsOf(meta).values()].filter(({ key }) => !own.has(key)).map(({ column }) => column);
  return `insert into game (${drafted.map(({ column }) => column).join(', ')}, player_ids, ${takenOver.join(', ')})
    select ${drafted.map(({ key }) => `o."${key}"`).join(', ')}, ${players}, ${takenOver.map((column) => `p.${column}`).join(', ')}
    from jsonb_to_recordset($1) as o(${drafted.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ')})
    join game p on p.id = o."parentId"
    on conflict (parent_id, occurs_on) do nothing returning id`;
}

/** Makes the occurrences whose date has none yet; returns how many. */
export const insertOccurrences = async (sql: Session, drafts: readonly GameDraft[]): Promise<number> =>
  drafts.length === 0 ? 0 : (await sql.rows(insertText(), [JSON.stringify(drafts)])).length;
