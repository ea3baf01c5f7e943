import type { TestApp } from './app.js';

const hour = 3_600_000;

/** An instant that many hours from now. */
export const at = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

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

/** How many statements a request takes; the least of some, because now and then one asks again whose token it is. */
export async function statementsOf(app: TestApp, request: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let run = 0; run < 4; run++) {
    const before = app.statements();
    await request();
    counts.push(app.statements() - before);
  }
  return Math.min(...counts);
}
