import { buildSchema, type ExecutionResult, execute, GraphQLError, type GraphQLScalarType, parse, validate } from 'graphql';
import type { Caller, Graph } from '../../../src/graphql/run.js';
import { fail, reject } from '../../../src/kernel/declare/errors.js';

/**
 * A small schema with each kind of field that legacy tables use: groups, lists of values, money, instants, enumerations, connections,
 * policies.
 */
const schema = buildSchema(/* GraphQL */ `
  scalar Instant
  scalar Money
  scalar JSON
  scalar Shape

  enum Level { LOCAL NATIONAL }

  type Location { city: String latitude: Float longitude: Float }
  type Approval { bodyId: ID status: String }
  type Sanction { body: String! isSanctioned: Boolean! levelTitle: String }

  "A tournament."
  type Tournament {
    id: ID!
    "Public title."
    title: String
    location: Location!
    startsAt: Instant
    isFeatured: Boolean!
    registrationCount: Int
    rating: Float
    fee: Money
    level: Level
    tags: [String!]!
    approvals: [Approval!]!
    sanctions: [Sanction!]!
    settings: JSON
    shape: Shape
    clubId: ID
    code: String
    createdAt: Instant!
  }

  input LocationInput { city: String latitude: Float longitude: Float }
  input ApprovalInput { bodyId: ID status: String }
  input SanctionInput { body: String isSanctioned: Boolean levelTitle: String }
  input TournamentInput {
    id: ID
    title: String
    location: LocationInput
    startsAt: Instant
    isFeatured: Boolean
    registrationCount: Int
    rating: Float
    fee: Money
    level: Level
    tags: [String!]
    approvals: [ApprovalInput!]
    sanctions: [SanctionInput!]
    settings: JSON
    clubId: ID
    password: String
  }
  input SignUpInput { email: String! isAdult: Boolean! phone: String }
  input Near { latitude: Float! longitude: Float! }
  input TournamentFilter { clubIds: [ID!] isFeatured: Boolean near: Near startsAfter: Instant }

  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type TournamentConnection { totalCount: Int! nodes: [Tournament!]! pageInfo: PageInfo! }

  type Query {
    tournament(id: ID!): Tournament
    tournaments(filter: TournamentFilter, first: Int! = 20, after: String, offset: Int): TournamentConnection!
    levels: [Level!]!
    locations: [Location!]!
    seen(id: ID!): String
    broken: Tournament
    busy: Tournament
    secrets: Tournament
  }
  type Mutation {
    upsertTournament(input: TournamentInput!): Tournament!
    updateTournament(id: ID!, input: TournamentInput!): Tournament!
    deleteTournament(id: ID!): Tournament
    deleteTournaments(clubId: ID!): Int!
    signUp(input: SignUpInput!): Boolean!
  }
`);

const money = schema.getType('Money') as GraphQLScalarType;
money.serialize = String;
money.parseValue = (value) => {
  if (String(value).length > 30)
    throw new GraphQLError('too long', { extensions: { code: 'BAD_INPUT', expected: 'at most 30 digits' } });
  return String(value);
};

type Row = Record<string, unknown> & { id: string };

/** An in-memory graph that records the operations that it runs. */
export interface Sample extends Graph {
  readonly rows: Map<string, Row>;
  /** Variables of each operation that ran, in order. */
  readonly operationVariables: Record<string, unknown>[];
  /** Number of times that the total was counted. */
  counts: number;
  /** Version of the rows. A change invalidates cached responses. */
  version: string;
}

const blank: Omit<Row, 'id'> = {
  location: {},
  isFeatured: false,
  tags: [],
  approvals: [],
  sanctions: [],
  createdAt: '2026-01-01T00:00:00Z',
};

export const row = (id: string, values: Record<string, unknown> = {}): Row => ({ ...blank, ...values, id });

export function sampleGraph(rows: readonly Row[] = []): Sample {
  const operationVariables: Sample['operationVariables'] = [];
  const store = new Map(rows.map((row) => [row.id, row]));
  const sample: Sample = {
    schema,
    rows: store,
    operationVariables,
    counts: 0,
    version: 'one',
    cacheVersion: () => sample.version,
    prepare,
  };

  const write = (id: string, { location = {}, ...input }: Row) => {
    const { latitude = 0 } = location as { latitude?: number | null };
    if (Number(latitude) > 90) reject('input.location.latitude', 'a number from -90 to 90');
    if ((input.approvals as { status?: string }[] | undefined)?.some(({ status }) => status === 'LOST'))
      reject('input.approvals[1].status', 'a known status');
    const lostIndex = (input.sanctions as { levelTitle?: string }[] | undefined)?.findIndex(
      ({ levelTitle }) => levelTitle === 'LOST',
    );
    if (lostIndex !== undefined && lostIndex >= 0) reject(`input.sanctions[${lostIndex}].levelTitle`, 'a known title');
    const before = store.get(id) ?? row(id);
    const after = { ...before, ...input, id, location: { ...(before.location as object), ...(location as object) } };
    store.set(id, after);
    return after;
  };
  const remove = (id: string) => {
    const deleted = store.get(id);
    store.delete(id);
    return deleted ?? null;
  };
  const roots = {
    tournament: ({ id }: { id: string }) => store.get(id) ?? null,
    tournaments({
      filter,
      first,
      after,
      offset,
    }: {
      filter?: { isFeatured?: boolean; near?: unknown };
      first: number;
      after?: string;
      offset?: number;
    }) {
      if (filter?.near) reject('filter.near.latitude', 'a place on earth');
      const all = [...store.values()].filter(
        ({ isFeatured }) => filter?.isFeatured === undefined || isFeatured === filter.isFeatured,
      );
      const from = (after ? Number(after) : 0) + (offset ?? 0);
      const nodes = all.slice(from, from + first);
      const totalCount = () => {
        sample.counts++;
        return all.length;
      };
      return { nodes, totalCount, pageInfo: { hasNextPage: from + first < all.length, endCursor: String(from + nodes.length) } };
    },
    levels: ['LOCAL', 'NATIONAL'],
    locations: [{ city: 'Austin' }, { city: 'Dallas' }],
    seen: ({ id }: { id: string }) => id,
    broken: () => {
      throw new Error('password of the database: hunter2');
    },
    busy: () => fail('UNAVAILABLE', 'the database cannot be reached', { retryAfter: 7 }),
    secrets: () => null,
    upsertTournament: ({ input }: { input: Row }) => write(input.id ?? `new-${store.size}`, input),
    updateTournament: ({ id, input }: { id: string; input: Row }) =>
      store.has(id) ? write(id, input) : fail('NOT_FOUND', `there is no tournament ${id}`),
    deleteTournament: ({ id }: { id: string }) => remove(id),
    deleteTournaments: ({ clubId }: { clubId: string }) =>
      [...store.values()].filter((tournament) => tournament.clubId === clubId).map(({ id }) => remove(id)).length,
    signUp: () => true,
  };

  function prepare(text: string) {
    const document = parse(text);
    const [problem] = validate(schema, document);
    if (problem) throw problem;
    return {
      document,
      problems: () => [],
      authorize({ user }: Caller) {
        if (text.includes('secrets') && !user?.isSuperAdmin) fail('FORBIDDEN', 'only for: super admin');
      },
      async run(variableValues: Record<string, unknown>): Promise<ExecutionResult> {
        operationVariables.push(variableValues);
        const result = await execute({ schema, document, rootValue: roots, variableValues });
        const coercion = result.errors?.filter(({ path, extensions }) => !path && !extensions.code);
        return coercion?.length
          ? { errors: coercion.map(({ message }) => new GraphQLError(message, { extensions: { code: 'BAD_INPUT' } })) }
          : result;
      },
    };
  }
  return sample;
}
