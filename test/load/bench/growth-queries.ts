/** A request that must not take much longer with a million tournaments than with ten thousand. */
export interface GrowthQuery {
  title: string;
  /** Maximum median response time with a million tournaments, in milliseconds. */
  must: number;
  path: string;
  /** A GraphQL operation. `$cursor` is replaced by a cursor deep in the list. */
  query?: string;
}

const list = (parameters: string) => `/v1/data/tourney_flat_data?page_size=25&${parameters}`;
const day = 86_400;
const today = Math.floor(Date.now() / 1000 / day) * day;
const span = (days: number) => `start_date=${today}&end_date=${today + days * day}`;
const austin = 'latitude=30.2672&longitude=-97.7431&unit_of_distance=km';

const search = (words: string) => ({
  path: '/graphql',
  query: `{ tournaments(first: 25, filter: { search: "${words}" }) { nodes { id title startsAt } } }`,
});

export const growthQueries: readonly GrowthQuery[] = [
  { title: '`now_playing=true`', must: 15, path: list('now_playing=true') },
  { title: '`now_registering=true`', must: 100, path: list('now_registering=true') },
  { title: '`start_date` and `end_date`, 30 days', must: 20, path: list(span(30)) },
  { title: 'GraphQL `search`, exact words', must: 40, ...search('summer classic') },
  { title: 'GraphQL `search`, exact words that few names contain', must: 40, ...search('austin open') },
  { title: 'GraphQL `search`, misspelled', must: 40, ...search('autsin opne') },
  { title: 'GraphQL `search`, one common word', must: 40, ...search('classic') },
  { title: '`search_name`, a rare word', must: 30, path: list('search_name=pflugerville') },
  { title: '`search_name`, a common word', must: 60, path: list('search_name=classic') },
  { title: 'list with `total_records` and no filter', must: 12, path: list('') },
  { title: 'teams with `total_records` and no filter', must: 12, path: '/v1/data/teams?page_size=25' },
  { title: 'within 50 km', must: 10, path: list(`distance=50&${austin}`) },
  { title: 'within 500 km, 30 days', must: 10, path: list(`distance=500&${austin}&${span(30)}`) },
  {
    title: 'after a cursor deep in the list',
    must: 10,
    path: '/graphql',
    query: '{ tournaments(first: 25, after: "$cursor") { nodes { id title startsAt } } }',
  },
  { title: 'one tournament by its ID', must: 10, path: '/v1/data/tourney_flat_data?tournament_uuid=$id' },
];
