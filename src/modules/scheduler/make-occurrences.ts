import { DateTime } from 'luxon';
import { uuidv7 } from 'uuidv7';
import { columnsOf, metaOf } from '../../kernel/meta.js';
import type { Sql } from '../../kernel/sql.js';
import { Game } from './game.js';
import { localOf } from './local-time.js';
import { type Occurrence, occurrencesOf, type Series } from './occurrences.js';
import { repeating } from './repeating.js';
import { zoneTexts } from './zone-texts.js';

/** How far ahead games are repeated. */
const daysAhead = 60;
/** Games a transaction: their rows are locked until it ends, and players join meanwhile. */
const atOnce = 20;

interface RepeatingGame extends Series {
  [column: string]: unknown;
  id: string;
  timeZoneAbbreviation: string | null;
  timeZoneOffset: number | null;
  /** Dates that have an occurrence, or had one that was deleted. */
  taken: string[];
}

/** What an occurrence has of its own; all else it takes over from the first game, invitations included. */
const own = new Set([
  'id',
  'parentId',
  'occursOn',
  'skippedDays',
  'day',
  'startsAt',
  'endsAt',
  'localDay',
  'localStartsAt',
  'localEndsAt',
  'timeZoneAbbreviation',
  'timeZoneOffset',
  'playerIds',
  'waitingIds',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
]);

/** Players opt in to a date, so nobody is in an occurrence from the start but the owner who plays in the first game. */
const players = `case when p.owner_id = any(p.player_ids) then array[p.owner_id] else '{}' end`;

function insertText(): string {
  const takenOver = [...columnsOf(metaOf(Game)).values()].filter(({ key }) => !own.has(key)).map(({ column }) => column);
  return `insert into game (id, parent_id, occurs_on, day, starts_at, ends_at, local_day, local_starts_at, local_ends_at,
      time_zone_abbreviation, time_zone_offset, player_ids, ${takenOver.join(', ')})
    select o.id, p.id, o.occurs_on, o.day, o.starts_at, o.ends_at, o.local_day, o.local_starts_at, o.local_ends_at,
      o.abbreviation, o."offset", ${players}, ${takenOver.map((column) => `p.${column}`).join(', ')}
    from jsonb_to_recordset($1) as o(id text, parent_id text, occurs_on text, day timestamptz, starts_at timestamptz, ends_at timestamptz,
      local_day timestamptz, local_starts_at timestamptz, local_ends_at timestamptz, abbreviation text, "offset" float8)
    join game p on p.id = o.parent_id
    on conflict (parent_id, occurs_on) do nothing returning id`;
}

const drafted = (game: RepeatingGame, { occursOn, day, startsAt, endsAt }: Occurrence) => {
  const local = (instant: string | null) => localOf(instant, game.timeZone);
  return {
    id: uuidv7(),
    parent_id: game.id,
    occurs_on: occursOn,
    day,
    starts_at: startsAt,
    ends_at: endsAt,
    local_day: local(day),
    local_starts_at: local(startsAt),
    local_ends_at: local(endsAt),
    ...zoneTexts(game, startsAt ?? day),
  };
};

/**
 * Makes the games that are missing among the repetitions of these games in the 60 days from now, in the caller's transaction; returns how many.
 * A date that has one already, or whose game was deleted, is left alone, whoever else makes some at the same moment.
 */
export async function makeOccurrences(sql: Sql, ids: readonly string[], now: Date): Promise<number> {
  const today = DateTime.fromJSDate(now, { zone: 'utc' });
  const games = await sql.rows<RepeatingGame>(
    `select r.id, r.day, r.starts_at as "startsAt", r.ends_at as "endsAt", r.time_zone as "timeZone", r.repeats,
       r.time_zone_abbreviation as "timeZoneAbbreviation", r.time_zone_offset as "timeZoneOffset",
       r.skipped_days || array(select o.occurs_on from game o where o.parent_id = r.id and o.occurs_on >= $2) as taken
     from game r where r.id = any($1) and ${repeating} order by r.id for update`,
    // Dates are those of any zone.
    [ids, today.minus({ days: 2 }).toISODate()],
  );
  const until = today.plus({ days: daysAhead }).toMillis();
  const missing = games.flatMap((game) => {
    const taken = new Set(game.taken);
    return occurrencesOf(game, { after: now.getTime(), until })
      .filter(({ occursOn }) => !taken.has(occursOn))
      .map((occurrence) => drafted(game, occurrence));
  });
  return missing.length === 0 ? 0 : (await sql.rows(insertText(), [JSON.stringify(missing)])).length;
}

/** The same for every game that is repeated, some of them a transaction. */
export async function repeatGames(sql: Sql, now = new Date()): Promise<number> {
  let made = 0;
  let last = '';
  for (;;) {
    const games = await sql.rows<{ id: string }>(
      `select r.id from game r where ${repeating} and r.id > $1 order by r.id limit ${atOnce}`,
      [last],
    );
    const ids = games.map(({ id }) => id);
    const [end] = ids.slice(-1);
    if (end === undefined) return made;
    made += await sql.transaction(() => makeOccurrences(sql, ids, now));
    last = end;
  }
}
