import type { Values } from '../../../kernel/declare/fields/options.js';
import { Problems } from '../../../kernel/declare/problems.js';
import { legacyValuesIn, nonEmptyString } from '../../../kernel/write/input-values.js';
import { timeZoneReference } from '../../reference/records/locations.js';
import { type Places, placeCount } from '../places/places.js';
import { emptyGameTimes, type GameTimes, isTimeZoneName, localTimes } from '../times/local-time.js';

/** Tolerance for start times in the past, in milliseconds, because clocks differ and requests take time. */
const graceMs = 5 * 60_000;
/** Time from midnight UTC until the day has ended in all time zones, in milliseconds. */
const longestDayMs = 36 * 3_600_000;

type PreviousValues = GameTimes & Pick<Places, 'maxPlayers'>;
const emptyGame: PreviousValues = { ...emptyGameTimes, maxPlayers: null };

/** Returns the name of the input field that contains the day. */
function dayFieldOf(input: Values): string {
  if (nonEmptyString(input.day)) return 'day';
  return nonEmptyString(legacyValuesIn(input).day) ? 'legacy.day' : 'legacy.localDay';
}

/** Rejects a new start time or a new day in the past. For local times, checks the instants derived from them. */
function checkNotPast(input: Values, times: Values, before: GameTimes, problems: Problems): void {
  const startsAt = nonEmptyString(times.startsAt);
  const earliestStart = Date.now() - graceMs;
  if (startsAt !== null && startsAt !== before.startsAt) {
    if (Date.parse(startsAt) < earliestStart)
      problems.add(`input.${nonEmptyString(input.startsAt) ? 'startsAt' : 'localStartsAt'}`, 'a time in the future');
    return;
  }
  const day = nonEmptyString(times.day);
  if (startsAt === null && day !== null && day !== before.day && Date.parse(day) < earliestStart - longestDayMs)
    problems.add(`input.${dayFieldOf(input)}`, 'a day in the future');
}

/** Rejects an end before the start. The error names the end field if the input sets it, or else the start field. Skips unchanged times. */
function checkOrder(input: Values, times: Values, before: GameTimes, problems: Problems): void {
  const [startsAt, endsAt] = [nonEmptyString(times.startsAt), nonEmptyString(times.endsAt)];
  if (startsAt === before.startsAt && endsAt === before.endsAt) return;
  if (startsAt === null || endsAt === null || Date.parse(endsAt) >= Date.parse(startsAt)) return;
  const [endField, startField] = [['endsAt', 'localEndsAt'] as const, ['startsAt', 'localStartsAt'] as const].map((fields) =>
    fields.find((field) => nonEmptyString(input[field])),
  );
  if (endField) problems.add(`input.${endField}`, 'a time at or after the start');
  else if (startField) problems.add(`input.${startField}`, 'a time at or before the end');
}

const startFields = ['startsAt', 'localStartsAt'] as const;
const dayFields = ['day', 'localDayRaw'] as const;
const hasAny = (values: object, names: readonly string[]): boolean =>
  Object.entries(values).some(([name, value]) => names.includes(name) && nonEmptyString(value));

/**
 * Requires a start time. A day alone is not enough. Existing games without a start time may stay without one, because `/v1` accepts such
 * games, but they must keep their day.
 */
function checkStart(input: Values, times: Values, before: PreviousValues, problems: Problems): void {
  // Removing a start time also removes the local time derived from it.
  const after: Values = { ...times, ...localTimes({ ...input, localDayRaw: legacyValuesIn(input).localDay, ...times }, before) };
  if (hasAny(after, startFields)) return;
  const isRequired =
    before === emptyGame || hasAny(before, startFields) || (hasAny(before, dayFields) && !hasAny(after, dayFields));
  if (isRequired) problems.add('input.startsAt', 'the start of the game, here or as `localStartsAt`');
}

/** Rejects fewer places than players, unless the game has a waiting list. */
function checkPlaces(input: Values, places: Places, problems: Problems): void {
  const players = new Set(places.playerIds).size;
  if (places.hasWaitingList || players <= placeCount(places)) return;
  if (input.maxPlayers !== undefined)
    problems.add('input.maxPlayers', `at least ${players}, because the game has ${players} players and no waiting list`);
  else if (input.playerIds !== undefined)
    problems.add('input.playerIds', `at most ${placeCount(places)} players, or a waiting list`);
  else problems.add('input.hasWaitingList', `true, because ${players} players exceed the available places`);
}

/**
 * Validates the changed values of a game, and reports all problems together.
 *
 * @param input Input as sent.
 * @param times Resulting instants.
 * @param places Resulting players and settings of the places. Null if the input does not change them.
 */
export function checkGame(input: Values, times: Values, places: Places | null, before: PreviousValues = emptyGame): void {
  const problems = new Problems();
  const { maxPlayers } = input;
  const legacyTimeZone = legacyValuesIn(input).timeZone;
  const timeZone = legacyTimeZone === undefined ? input.timeZone : legacyTimeZone;
  if (typeof maxPlayers === 'number' && maxPlayers < 1 && maxPlayers !== before.maxPlayers)
    problems.add('input.maxPlayers', 'an integer of 1 or more, or null for no limit');
  if (nonEmptyString(timeZone) && timeZone !== before.timeZone && !isTimeZoneName(String(timeZone)))
    problems.add(`input.${legacyTimeZone === undefined ? '' : 'legacy.'}timeZone`, timeZoneReference.expected);
  checkStart(input, times, before, problems);
  checkNotPast(input, times, before, problems);
  checkOrder(input, times, before, problems);
  if (places) checkPlaces(input, places, problems);
  problems.throwIfAny();
}
