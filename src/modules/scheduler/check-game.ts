import type { Values } from '../../kernel/declare/options.js';
import { Problems } from '../../kernel/declare/problems.js';
import { legacyIn } from '../../kernel/write/input-values.js';
import { type GameTimes, isZone, localTimes, noTimes } from './local-time.js';
import { type Places, seats } from './places.js';

/** A start that is this much past counts as now: clocks differ, and so does the way of a request. */
const graceMs = 5 * 60_000;
/** A day that is written as its midnight in UTC is over this much later in the last of all time zones. */
const longestDayMs = 36 * 3_600_000;

type Before = GameTimes & Pick<Places, 'maxPlayers'>;
const nothing: Before = { ...noTimes, maxPlayers: null };

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The field of the input that has its day. */
function dayFieldOf(input: Values): string {
  if (textIn(input.day)) return 'day';
  return textIn(legacyIn(input).day) ? 'legacy.day' : 'legacy.localDay';
}

/** Refuses a time of this input that is past, unless the game had it before; a local time stands for the moment that was worked out from it. */
function checkAhead(input: Values, times: Values, before: GameTimes, problems: Problems): void {
  const starts = textIn(times.startsAt);
  const limit = Date.now() - graceMs;
  if (starts !== null && starts !== before.startsAt) {
    if (Date.parse(starts) < limit)
      problems.add(`input.${textIn(input.startsAt) ? 'startsAt' : 'localStartsAt'}`, 'a time to come');
    return;
  }
  const day = textIn(times.day);
  if (starts === null && day !== null && day !== before.day && Date.parse(day) < limit - longestDayMs)
    problems.add(`input.${dayFieldOf(input)}`, 'a day to come');
}

/** Refuses an end before the start, at the one of the two that the input has; an older game that is so stays so. */
function checkOrder(input: Values, times: Values, before: GameTimes, problems: Problems): void {
  const [starts, ends] = [textIn(times.startsAt), textIn(times.endsAt)];
  if (starts === before.startsAt && ends === before.endsAt) return;
  if (starts === null || ends === null || Date.parse(ends) >= Date.parse(starts)) return;
  const [end, start] = [['endsAt', 'localEndsAt'] as const, ['startsAt', 'localStartsAt'] as const].map((fields) =>
    fields.find((field) => textIn(input[field])),
  );
  if (end) problems.add(`input.${end}`, 'a time that is not before the start');
  else if (start) problems.add(`input.${start}`, 'a time that is not behind the end');
}

const starts = ['startsAt', 'day', 'localStartsAt', 'localDayRaw'] as const;

/** Rejects a game without a start. An existing game without one may stay without it, because `/v1` accepts such games. */
function checkStart(input: Values, times: Values, before: Before, problems: Problems): void {
  // A local time that was derived from a removed start is removed with it.
  const after: Values = { ...times, ...localTimes({ ...input, localDayRaw: legacyIn(input).localDay, ...times }, before) };
  const hadStart = starts.some((name) => textIn(before[name]));
  if (starts.some((name) => textIn(after[name])) || (before !== nothing && !hadStart)) return;
  problems.add('input.startsAt', 'the start of the game, here or as `localStartsAt` or `day`');
}

/** Refuses fewer places than players who have one, where nobody waits for a place. */
function checkPlaces(input: Values, places: Places, problems: Problems): void {
  const players = new Set(places.playerIds).size;
  if (places.hasWaitingList || players <= seats(places)) return;
  if (input.maxPlayers !== undefined) problems.add('input.maxPlayers', `${players} or more, as many as play, or a waiting list`);
  else if (input.playerIds !== undefined) problems.add('input.playerIds', `at most ${seats(places)} players, or a waiting list`);
  else problems.add('input.hasWaitingList', `true, because ${players} play and there are fewer places`);
}

/**
 * Refuses what a game cannot be, all of it at once: `given` is the input, `times` the moments that the game has with it, and `places` who would
 * play, where that changes. What was so before, and is left alone, stays.
 */
export function checkGame(given: Values, times: Values, places: Places | null, before: Before = nothing): void {
  const problems = new Problems();
  const { maxPlayers } = given;
  const sent = legacyIn(given).timeZone;
  const timeZone = sent === undefined ? given.timeZone : sent;
  if (typeof maxPlayers === 'number' && maxPlayers < 1 && maxPlayers !== before.maxPlayers)
    problems.add('input.maxPlayers', 'a whole number from 1 on, or null where there is no limit');
  if (textIn(timeZone) && timeZone !== before.timeZone && !isZone(String(timeZone)))
    problems.add(`input.${sent === undefined ? '' : 'legacy.'}timeZone`, 'the IANA name of a time zone, such as America/Chicago');
  checkStart(given, times, before, problems);
  checkAhead(given, times, before, problems);
  checkOrder(given, times, before, problems);
  if (places) checkPlaces(given, places, problems);
  problems.refuse();
}
