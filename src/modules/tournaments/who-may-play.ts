import { DateTime } from 'luxon';

/** Whom an event is for. */
export interface Eligible {
  /** Men, women, or teams of both. */
  readonly gender?: 'M' | 'F' | 'MIXED';
  /** Lowest age in years. */
  readonly from?: number;
  /** The age at which one is too old. */
  readonly under?: number;
}

/** By the ids of player groups; who is in no line is for anyone. */
const groups: Readonly<Record<string, Eligible>> = {
  1: { gender: 'M' },
  2: { gender: 'F' },
  3: { gender: 'MIXED' },
  5: { gender: 'M', under: 18 },
  6: { gender: 'F', under: 18 },
  7: { gender: 'M', from: 50 },
  8: { gender: 'F', from: 50 },
  9: { gender: 'MIXED', from: 50 },
};

/** By the ids of formats, some of which say it by their titles. */
const formats: Readonly<Record<string, Eligible['gender']>> = { 1: 'M', 2: 'F', 3: 'M', 4: 'F', 5: 'MIXED' };

interface Event {
  playerGroupId: string | null;
  formatId: string | null;
}

/** What has to be known of a player. */
export interface Entering {
  gender: 'M' | 'F' | null;
  dateOfBirth: string | null;
}

/** Whom an event is for: as its player group says, else its format. */
export function audienceOf({ playerGroupId, formatId }: Event): Eligible & { isDeclared: boolean } {
  const group = groups[playerGroupId ?? ''];
  return { gender: formats[formatId ?? ''], ...group, isDeclared: group !== undefined };
}

const names = { M: 'men', F: 'women', MIXED: 'teams of one woman and one man' };

/** Why the genders of one or two players do not fit, as an end of `the event is …`; null where they do, or where only a format asks and nobody knows. */
export function genderRefusal(audience: ReturnType<typeof audienceOf>, genders: readonly Entering['gender'][]): string | null {
  const { gender, isDeclared } = audience;
  if (!gender) return null;
  if (isDeclared && genders.includes(null)) return `for ${names[gender]}, and the profile tells no category of play`;
  const known = genders.filter((one) => one !== null);
  const fits = gender === 'MIXED' ? new Set(known).size === known.length : known.every((one) => one === gender);
  return fits ? null : `for ${names[gender]}`;
}

/** Why the age of a player on that day does not fit, in the same words. */
export function ageRefusal({ from, under }: Eligible, { dateOfBirth }: Entering, day: string): string | null {
  if (from === undefined && under === undefined) return null;
  const bounds = from === undefined ? `under ${under}` : `${from} and over`;
  if (!dateOfBirth) return `for players of ${bounds}, and the profile tells no date of birth`;
  const birth = DateTime.fromISO(dateOfBirth, { zone: 'utc' }).startOf('day');
  const age = Math.floor(DateTime.fromISO(day, { zone: 'utc' }).diff(birth, 'years').years);
  return (from === undefined || age >= from) && (under === undefined || age < under) ? null : `for players of ${bounds}`;
}
