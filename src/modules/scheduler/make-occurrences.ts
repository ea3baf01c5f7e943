import { type NotNull, sql as raw, type SqlBool } from 'kysely';
import { DateTime } from 'luxon';
import { uuidv7 } from 'uuidv7';
import type { Session } from '../../kernel/session.js';
import { type GameDraft, insertOccurrences } from './insert-occurrences-sql.js';
import { localDayOf, localOf } from './local-time.js';
import { type Occurrence, occurrencesOf } from './occurrences.js';
import { repeating } from './repeating.js';
import { zoneTexts } from './zone-texts.js';

/** Number of days in advance for which games are created. */
const daysAhead = 60;
/** Number of repeated games per transaction. Small, because locked games block players who join. */
const atOnce = 20;

/** Locks repeated games in the order of their IDs. `taken` has the dates with an occurrence or a deleted one. */
const lockRepeating = (sql: Session, ids: readonly string[], since: string) =>
  sql.run(
    sql.db
      .selectFrom('game as r')
      .select(['r.id', 'r.day', 'r.starts_at as startsAt', 'r.ends_at as endsAt', 'r.time_zone as timeZone', 'r.repeats'])
      .select(['r.time_zone_abbreviation as timeZoneAbbreviation', 'r.utc_offset as utcOffset'])
      .select((r) => {
        const made = r.selectFrom('game as o').select('o.occurs_on').whereRef('o.parent_id', '=', 'r.id');
        return raw<string[]>`r.skipped_days || array(${made.where('o.occurs_on', '>=', since)})`.as('taken');
      })
      .where(raw<SqlBool>`r.id = any(${ids})`)
      .where(raw.raw<SqlBool>(repeating))
      .$narrowType<{ repeats: NotNull }>()
      .orderBy('r.id')
      .forUpdate(),
  );
type RepeatingGame = Awaited<ReturnType<typeof lockRepeating>>[number];

function drafted(game: RepeatingGame, { occursOn, day, startsAt, endsAt }: Occurrence): GameDraft {
  const local = (instant: string | null) => localOf(instant, game.timeZone);
  const { abbreviation, offset } = zoneTexts(game, startsAt ?? day);
  return {
    id: uuidv7(),
    parentId: game.id,
    occursOn,
    day,
    startsAt,
    endsAt,
    localDayRaw: localDayOf(day, game.timeZone),
    localStartsAt: local(startsAt),
    localEndsAt: local(endsAt),
    timeZoneAbbreviation: abbreviation,
    utcOffset: offset,
  };
}

/**
 * Creates the missing repetitions of these games for the next 60 days, in the transaction of the caller. Returns their number. Skips dates with an
 * existing or deleted repetition. Safe for concurrent calls.
 */
export async function makeOccurrences(sql: Session, ids: readonly string[], now: Date): Promise<number> {
  const today = DateTime.fromJSDate(now, { zone: 'utc' });
  // Dates are those of any zone.
  const games = await lockRepeating(sql, ids, today.minus({ days: 2 }).toFormat('yyyy-MM-dd'));
  const until = today.plus({ days: daysAhead }).toMillis();
  const missing = games.flatMap((game) => {
    const taken = new Set(game.taken);
    return occurrencesOf(game, { after: now.getTime(), until })
      .filter(({ occursOn }) => !taken.has(occursOn))
      .map((occurrence) => drafted(game, occurrence));
  });
  return insertOccurrences(sql, missing);
}

/** The same for all repeated games, in several transactions. */
export async function repeatGames(sql: Session, now = new Date()): Promise<number> {
  let made = 0;
  let last = '';
  for (;;) {
    const games = await sql.run(
      sql.db
        .selectFrom('game as r')
        .select('r.id')
        .where(raw.raw<SqlBool>(repeating))
        .where('r.id', '>', last)
        .orderBy('r.id')
        .limit(atOnce),
    );
    const ids = games.map(({ id }) => id);
    const [end] = ids.slice(-1);
    if (end === undefined) return made;
    made += await sql.transaction(() => makeOccurrences(sql, ids, now));
    last = end;
  }
}
