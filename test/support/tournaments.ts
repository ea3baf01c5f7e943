import type { TestApp } from './app.js';

const hour = 3_600_000;

const start = Date.now();

/** An instant that many hours from when the test began: the same for the same number. */
export const at = (hours: number): string => new Date(start + hours * hour).toISOString();

// biome-ignore lint/suspicious/noExplicitAny: tests compare whole answers
type Answer = any;

/** Tournaments of a service, which starts later, through GraphQL. */
export const tournamentsOf = (service: () => TestApp) => ({
  /** Upserts a tournament: the fields asked for, or the errors. */
  async save(input: object, fields = 'id'): Promise<Answer> {
    const answer = await service().graphql(
      `mutation ($input: TournamentInput!) { upsertTournament(input: $input) { ${fields} } }`,
      { input },
    );
    return answer.upsertTournament ?? answer;
  },
  /** One field of each tournament that a filter lets through, or the errors. */
  async find(filter: object, field = 'id'): Promise<Answer> {
    const answer = await service().graphql(
      `query ($filter: TournamentFilter) { tournaments(filter: $filter) { nodes { ${field} } } }`,
      { filter },
    );
    return answer.tournaments?.nodes.map((node: Record<string, unknown>) => node[field]) ?? answer.errors;
  },
  async read(id: string, fields: string): Promise<Answer> {
    return (await service().graphql(`query ($id: ID!) { tournament(id: $id) { ${fields} } }`, { id })).tournament;
  },
});
