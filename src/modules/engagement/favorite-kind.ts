import { registerEnumType } from 'type-graphql';

/** What can be a favorite: the module types of section 2.2, and what the game scheduler marks (section 2.15). */
export const FavoriteKind = {
  TOURNAMENT: 'TOURNAMENT',
  CLINIC: 'CLINIC',
  LEAGUE: 'LEAGUE',
  CLUB: 'CLUB',
  GAME: 'GAME',
  COURT: 'COURT',
} as const;
export type FavoriteKind = keyof typeof FavoriteKind;

registerEnumType(FavoriteKind, {
  name: 'FavoriteKind',
  description: 'What can be a favorite.',
  valuesConfig: {
    TOURNAMENT: { description: 'A tournament.' },
    CLINIC: { description: 'A clinic: only its id is known here.' },
    LEAGUE: { description: 'A league.' },
    CLUB: { description: 'A club.' },
    GAME: { description: 'A game of the scheduler.' },
    COURT: { description: 'A place where games are played: only its id is known here, the `courtId` of games.' },
  },
});
