import { registerEnumType } from 'type-graphql';

/** Kinds of records that the search covers. */
export const SearchKind = {
  TOURNAMENT: 'TOURNAMENT',
  LEAGUE: 'LEAGUE',
  CLUB: 'CLUB',
  PLAYER: 'PLAYER',
  NEWS: 'NEWS',
} as const;
export type SearchKind = keyof typeof SearchKind;

registerEnumType(SearchKind, {
  name: 'SearchKind',
  description: 'Kind of records that the search covers.',
  valuesConfig: {
    TOURNAMENT: {
      description:
        'Tournaments by title, venue, city and state. Excludes tests and tournaments that are hidden from search pages.',
    },
    LEAGUE: { description: 'Leagues by title, venue, city and state. Excludes tests and disabled leagues.' },
    CLUB: { description: 'Clubs by title, venue, city and state.' },
    PLAYER: {
      description:
        'Users by first and last name only. Callers with only a publishable key find only players whom public ranking points, teams or entries refer to.',
    },
    NEWS: { description: 'Published news items by title.' },
  },
});
