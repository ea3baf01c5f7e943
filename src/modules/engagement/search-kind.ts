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
      description: 'Tournaments by their titles and places, without tests and those that are to be left out of search pages.',
    },
    LEAGUE: { description: 'Leagues by their titles and places, without tests and disabled ones.' },
    CLUB: { description: 'Clubs by their titles and places.' },
    PLAYER: { description: 'People by their first and last names; publishable keys find those in public rankings and results.' },
    NEWS: { description: 'News items by their titles: those that are on the site now.' },
  },
});
