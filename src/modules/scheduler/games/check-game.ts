import type { Values } from '../../../kernel/declare/fields/options.js';
import { Problems } from '../../../kernel/declare/problems.js';
import { legacyIn } from '../../../kernel/write/input-values.js';
import { namesTimeZone } from '../../reference/records/time-zone.js';
import { maxPlaces, type Places } from '../places/places.js';
import { type GameTimes, isZone, localTimes, noTimes } from '../times/local-time.js';

/** Tolerance for starts in the past, because clocks differ and requests take time. */
const graceMs = 5 * 60_000;
/** Time from midnight in UTC until the day has ended in all time zones. */
const longestDayMs = 36 * 3_600_000;

type PreviousValues = GameTimes & Pick<Places, 'maxPlayers'>;
const emptyGame: PreviousValues = { ...noTimes, maxPlayers: null };

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Name of the input field with the day. */
function dayFieldOf(input: Values): string {
  if (textIn(input.day)) return 'day';
  return textIn(legacyIn(input).day) ? 'legacy.day' : 'legacy.localDay';
}

/** Rejects a start in the past, unless the game already had it. Local times are checked by the instant derived from them. */
function checkNotPast(input: Values, times: Values, before: GameTimes, problems: Problems): void {
  const startsAt = textIn(times.startsAt);
  const limit = Date.now() - graceMs;
  if (startsAt !== null && startsAt !== before.startsAt) {
    if (Date.parse(startsAt) < limit)
      problems.add(`input.${textIn(input.startsAt) ? 'startsAt' : 'localStartsAt'}`, 'a time in the future');
    return;
  }
  const day = textIn(times.day);
  if (startsAt === null && day !== null && day !== before.day && Date.parse(day) < limit - longestDayMs)
    problems.add(`input.${dayFieldOf(input)}`, 'a day in the future');
}

/** Rejects an end before the start, and reports the field that the input sets. An unchanged game may keep such times. */
function checkOrder(input: Values, times: Values, before: GameTimes, problems: Problems): void {
  const [startsAt, endsAt] = [textIn(times.startsAt), textIn(times.endsAt)];
  if (startsAt === before.startsAt && endsAt === before.endsAt) return;
  if (startsAt === null || endsAt === null || Date.parse(endsAt) >= Date.parse(startsAt)) return;
  const [endField, startField] = [['endsAt', 'localEndsAt'] as const, ['startsAt', 'localStartsAt'] as const].map((fields) =>
    fields.find((field) => textIn(input[field])),
  );
  if (endField) problems.add(`input.${endField}`, 'a time that is not before the start');
  else if (startField) problems.add(`input.${startField}`, 'a time no later than the end');
}

const startFields = ['startsAt', 'localStartsAt'] as const;
const days = ['day', 'localDayRaw'] as const;
const hasOne = (values: object, names: readonly string[]): boolean =>
  Object.entries(values).some(([name, value]) => names.includes(name) && textIn(value));

/**
 * Rejects a game without a start. A day is no start. An existing game with only a day, or without both, may stay so, because `/v1` accepts such
 * games.
 */
function checkStart(input: Values, times: Values, before: PreviousValues, problems: Problems): void {
  // A local time that was derived from a removed start is removed with it.
  const after: Values = { ...times, ...localTimes({ ...input, localDayRaw: legacyIn(input).localDay, ...times }, before) };
  if (hasOne(after, startFields)) return;
  const isRequired = before === emptyGame || hasOne(before, startFields) || (hasOne(before, days) && !hasOne(after, days));
  if (isRequired) problems.add('input.startsAt', 'the start of the game, here or as `localStartsAt`');
}

/** Rejects fewer places than players, unless the game has a waiting list. */
function checkPlaces(input: Values, places: Places, problems: Problems): void {
  const players = new Set(places.playerIds).size;
  if (places.hasWaitingList || players <= maxPlaces(places)) return;
  if (input.maxPlayers !== undefined)
    problems.add('input.maxPlayers', `${players} or more, the number of players, or a waiting list`);
  else if (input.playerIds !== undefined)
    problems.add('input.playerIds', `at most ${maxPlaces(places)} players, or a waiting list`);
  else problems.add('input.hasWaitingList', `true, because ${players} players exceed the available places`);
}

/**
 * Reports all problems of a game at once. `input` is the input as sent, `times` are the resulting instants, and `places` are the resulting players, if they
 * change. Unchanged values are not checked.
 */
export function checkGame(input: Values, times: Values, places: Places | null, before: PreviousValues = emptyGame): void {
  const problems = new Problems();
  const { maxPlayers } = input;
  const legacyTimeZone = legacyIn(input).timeZone;
  const timeZone = legacyTimeZone === undefined ? input.timeZone : legacyTimeZone;
  if (typeof maxPlayers === 'number' && maxPlayers < 1 && maxPlayers !== before.maxPlayers)
    problems.add('input.maxPlayers', 'an integer of 1 or more, or null for no limit');
  if (textIn(timeZone) && timeZone !== before.timeZone && !isZone(String(timeZone)))
    problems.add(`input.${legacyTimeZone === undefined ? '' : 'legacy.'}timeZone`, namesTimeZone.expected);
  checkStart(input, times, before, problems);
  checkNotPast(input, times, before, problems);
  checkOrder(input, times, before, problems);
  if (places) checkPlaces(input, places, problems);
  problems.throwIfAny();
}
