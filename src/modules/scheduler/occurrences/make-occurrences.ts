import { type NotNull, sql as raw, type SqlBool } from 'kysely';
import { DateTime } from 'luxon';
import { uuidv7 } from 'uuidv7';
import type { Session } from '../../../kernel/session.js';
import { localDayOf, localTimeOf } from '../times/local-time.js';
import { adjustZoneTexts } from '../times/zone-offset.js';
import { type GameDraft, insertOccurrences } from './insert-occurrences-sql.js';
import { isRepeatedGame, type Occurrence, occurrencesOf } from './occurrences.js';

/** Number of days for which games are created in advance. */
const daysAhead = 60;
/** Number of repeated games per transaction. The number is small, because locked games block players who want to join. */
const batchSize = 20;

/**
 * Locks repeated games in the order of their IDs. `takenDates` contains the dates of existing repetitions from `firstDate` on, and the
 * dates of all deleted repetitions.
 */
const lockRepeating = (sql: Session, ids: readonly string[], firstDate: string) =>
  sql.run(
    sql.db
      .selectFrom('game as r')
      .select(['r.id', 'r.day', 'r.starts_at as startsAt', 'r.ends_at as endsAt', 'r.time_zone as timeZone', 'r.repeats'])
      .select(['r.time_zone_abbreviation as timeZoneAbbreviation', 'r.utc_offset as utcOffset'])
      .select((r) => {
        const occurrences = r.selectFrom('game as o').select('o.occurs_on').whereRef('o.parent_id', '=', 'r.id');
        return raw<string[]>`r.skipped_days || array(${occurrences.where('o.occurs_on', '>=', firstDate)})`.as('takenDates');
      })
      .where(raw<SqlBool>`r.id = any(${ids})`)
      .where(raw.raw<SqlBool>(isRepeatedGame))
      .$narrowType<{ repeats: NotNull }>()
      .orderBy('r.id')
      .forUpdate(),
  );
type RepeatingGame = Awaited<ReturnType<typeof lockRepeating>>[number];

function draftOf(game: RepeatingGame, { occursOn, day, startsAt, endsAt }: Occurrence): GameDraft {
  const local = (instant: string | null) => localTimeOf(instant, game.timeZone);
  const { abbreviation, offset } = adjustZoneTexts(game, startsAt ?? day);
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
 * Creates the missing repetitions of games for the next 60 days, in the current transaction. Skips dates on which a repetition exists or
 * was deleted. Returns the number of created games. Safe for concurrent calls.
 */
export async function createOccurrences(sql: Session, ids: readonly string[], now: Date): Promise<number> {
  const today = DateTime.fromJSDate(now, { zone: 'utc' });
  // The range starts two days earlier, because the local dates of repetitions depend on the time zone.
  const games = await lockRepeating(sql, ids, today.minus({ days: 2 }).toFormat('yyyy-MM-dd'));
  const until = today.plus({ days: daysAhead }).toMillis();
  const drafts = games.flatMap((game) => {
    const takenDates = new Set(game.takenDates);
    return occurrencesOf(game, { after: now.getTime(), until })
      .filter(({ occursOn }) => !takenDates.has(occursOn))
      .map((occurrence) => draftOf(game, occurrence));
  });
  return insertOccurrences(sql, drafts);
}

/** Creates the missing repetitions of all repeated games, in batches with one transaction each. Returns the number of created games. */
export async function repeatGames(sql: Session, now = new Date()): Promise<number> {
  let createdCount = 0;
  let previousId = '';
  for (;;) {
    const games = await sql.run(
      sql.db
        .selectFrom('game as r')
        .select('r.id')
        .where(raw.raw<SqlBool>(isRepeatedGame))
        .where('r.id', '>', previousId)
        .orderBy('r.id')
        .limit(batchSize),
    );
    const ids = games.map(({ id }) => id);
    const [lastId] = ids.slice(-1);
    if (lastId === undefined) return createdCount;
    createdCount += await sql.transaction(() => createOccurrences(sql, ids, now));
    previousId = lastId;
  }
}
