import { registerEnumType } from 'type-graphql';

/** What is searched. */
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
  description: 'What is searched.',
  valuesConfig: {
    TOURNAMENT: {
      description: 'Tournaments by title and location, without test tournaments and those excluded from search pages.',
    },
    LEAGUE: { description: 'Leagues by title and location, without test leagues and disabled ones.' },
    CLUB: { description: 'Clubs by title and location.' },
    PLAYER: {
      description:
        'People by first and last name. Publishable keys find only players named by public ranking points, teams or entries.',
    },
    NEWS: { description: 'News items by their titles: those that are on the site now.' },
  },
});
