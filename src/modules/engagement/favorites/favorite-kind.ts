import { registerEnumType } from 'type-graphql';

/** Kinds of favorites: module types (section 2.2) and favorites of the game scheduler (section 2.15). */
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
  description: 'Kind of a favorite.',
  valuesConfig: {
    TOURNAMENT: { description: 'Tournament.' },
    CLINIC: { description: 'Clinic of a platform. Not a record in this graph.' },
    LEAGUE: { description: 'League.' },
    CLUB: { description: 'Club.' },
    GAME: { description: 'Game of the scheduler.' },
    COURT: { description: 'Court of a platform, as in `Game.courtId`. Not a record in this graph.' },
  },
});
