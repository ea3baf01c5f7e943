import { registerEnumType } from 'type-graphql';
import { daysOf, registrationOf } from './days-sql.js';

export const TournamentPhase = {
  CANCELED: 'CANCELED',
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
    CANCELED: { description: 'It was called off.' },
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

/** SQL: it is being played, whose index finds few. */
export const isPlaying = `${daysOf('r.')} @> now() and r.starts_at <= now() and r.over_at > now() and not r.is_canceled`;

/** SQL: registration is open. */
export const isRegistering = `${registrationOf('r.')} @> now() and not r.is_registration_closed and not r.is_canceled`;

/** SQL of the phase, as `phaseOf` tells it. */
export const phase = `case when r.is_canceled then 'CANCELED' when r.over_at <= now() then 'OVER' when r.starts_at <= now() then 'PLAYING'
  when r.is_registration_closed or r.registration_closes_at <= now() then 'CLOSED'
  when coalesce(r.registration_opens_at <= now(), r.registration_closes_at is not null) then 'REGISTERING' else 'ANNOUNCED' end`;
