import { DateTime } from 'luxon';

/** Rules for the players of an event. */
interface EligiblePlayers {
  /** Gender of the players: men, women, or teams of one woman and one man. Undefined means all players. */
  readonly gender?: 'M' | 'F' | 'MIXED';
  /** Minimum age in years. */
  readonly from?: number;
  /** Maximum age in years, exclusive. */
  readonly under?: number;
}

/** Rules, keyed by player group ID. Other groups are open to everyone. */
const rulesByGroup: Readonly<Record<string, EligiblePlayers>> = {
  1: { gender: 'M' },
  2: { gender: 'F' },
  3: { gender: 'MIXED' },
  5: { gender: 'M', under: 18 },
  6: { gender: 'F', under: 18 },
  7: { gender: 'M', from: 50 },
  8: { gender: 'F', from: 50 },
  9: { gender: 'MIXED', from: 50 },
};

/** Gender that each format requires according to its title, such as Men's Singles. The keys are format IDs. */
const gendersByFormat: Readonly<Record<string, EligiblePlayers['gender']>> = { 1: 'M', 2: 'F', 3: 'M', 4: 'F', 5: 'MIXED' };

interface Event {
  playerGroupId: string | null;
  formatId: string | null;
}

/** Data about a player that the rules of events use. */
export interface PlayerProfile {
  gender: 'M' | 'F' | null;
  dateOfBirth: string | null;
}

/** Profile of a player with unknown gender and date of birth. */
export const unknownPlayer: PlayerProfile = { gender: null, dateOfBirth: null };

/**
 * Returns the rules of an event, from its player group or else its format. `isFromPlayerGroup` is true if the rules come from the player
 * group.
 */
export function eligibilityRulesOf({ playerGroupId, formatId }: Event): EligiblePlayers & { isFromPlayerGroup: boolean } {
  const group = rulesByGroup[playerGroupId ?? ''];
  return { gender: gendersByFormat[formatId ?? ''], ...group, isFromPlayerGroup: group !== undefined };
}

const genderNames = { M: 'men', F: 'women', MIXED: 'teams of one woman and one man' };

/**
 * Returns why one or two players do not meet the gender rule, as the end of a sentence that starts with `the event is`. Null if they meet
 * the rule. Players with an unknown gender meet it if the rule comes from the format.
 */
export function genderRefusal(
  audience: ReturnType<typeof eligibilityRulesOf>,
  genders: readonly PlayerProfile['gender'][],
): string | null {
  const { gender, isFromPlayerGroup } = audience;
  if (!gender) return null;
  if (isFromPlayerGroup && genders.includes(null)) return `for ${genderNames[gender]}, and the profile has no category of play`;
  const knownGenders = genders.filter((playerGender) => playerGender !== null);
  const isEligible =
    gender === 'MIXED'
      ? new Set(knownGenders).size === knownGenders.length
      : knownGenders.every((playerGender) => playerGender === gender);
  return isEligible ? null : `for ${genderNames[gender]}`;
}

/** Start of an event, and the time zone of its tournament. If the zone is unknown, UTC is used. */
interface EventStart {
  readonly instant: string;
  readonly timeZone: string | null;
}

/** Returns the local day of an instant, as midnight in UTC. */
function localDayOf({ instant, timeZone }: EventStart): DateTime {
  const local = DateTime.fromISO(instant, { zone: timeZone ?? 'utc' });
  return (local.isValid ? local : DateTime.fromISO(instant, { zone: 'utc' }))
    .setZone('utc', { keepLocalTime: true })
    .startOf('day');
}

/**
 * Returns why a player does not meet the age rule on the local day on which the event starts, in the same format as `genderRefusal`. Null if
 * the player meets the rule.
 */
export function ageRefusal({ from, under }: EligiblePlayers, { dateOfBirth }: PlayerProfile, start: EventStart): string | null {
  if (from === undefined && under === undefined) return null;
  const ages = from === undefined ? `under ${under}` : `aged ${from} or older`;
  if (!dateOfBirth) return `for players ${ages}, and the profile has no date of birth`;
  const birth = DateTime.fromISO(dateOfBirth, { zone: 'utc' }).startOf('day');
  const age = Math.floor(localDayOf(start).diff(birth, 'years').years);
  return (from === undefined || age >= from) && (under === undefined || age < under) ? null : `for players ${ages}`;
}
