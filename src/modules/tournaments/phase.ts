import { registerEnumType } from 'type-graphql';
import { isUpTo } from '../../kernel/declare/instant.js';
import type { Tournament } from './tournament.js';

export const TournamentPhase = {
  CANCELLED: 'CANCELLED',
  ANNOUNCED: 'ANNOUNCED',
  REGISTERING: 'REGISTERING',
  CLOSED: 'CLOSED',
  PLAYING: 'PLAYING',
  OVER: 'OVER',
} as const;
export type TournamentPhase = keyof typeof TournamentPhase;
registerEnumType(TournamentPhase, {
  name: 'TournamentPhase',
  description: 'How far a tournament is.',
  valuesConfig: {
    CANCELLED: { description: 'It was called off.' },
    ANNOUNCED: { description: 'Registration has not opened, or nobody knows when it does.' },
    REGISTERING: { description: 'Registration is open; with one of its two dates only, it is open on the other side.' },
    CLOSED: { description: 'Registration is closed, play has not begun.' },
    PLAYING: { description: 'It is being played.' },
    OVER: {
      description:
        'It has been played: its end is past or, where the end is absent or midnight in its time zone, the whole day of it.',
    },
  },
});

type Dates = Pick<
  Tournament,
  'startsAt' | 'overAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'isRegistrationClosed' | 'isCancelled'
>;

const isBy = (at: string | null, now: string): boolean => at !== null && isUpTo(at, now);

/** The phase at a moment, as the filters see it too; play outranks registration where both go on. */
export function phaseOf(dates: Dates, now: string): TournamentPhase {
  if (dates.isCancelled) return 'CANCELLED';
  if (isBy(dates.overAt, now)) return 'OVER';
  if (isBy(dates.startsAt, now)) return 'PLAYING';
  if (dates.isRegistrationClosed || isBy(dates.registrationClosesAt, now)) return 'CLOSED';
  const { registrationOpensAt: opens, registrationClosesAt: closes } = dates;
  return (opens ? isBy(opens, now) : closes) ? 'REGISTERING' : 'ANNOUNCED';
}
