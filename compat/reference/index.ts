import type { GraphQLSchema } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { codecsOf } from '../engine/bind/codec.js';
import { entriesOf, type Routes } from '../engine/route.js';
import { createDecisionFinder, type Decision } from './decisions.js';
import { groups } from './groups.js';
import type { Reference, ReferenceExample } from './operation.js';
import { operationOf } from './operations.js';
import { referencedSchemas, schemasOf } from './schemas.js';

export type { Decision } from './decisions.js';
export { openApiDocument } from './openapi.js';
export type * from './operation.js';

/** Recorded examples and compatibility decisions. */
export interface RecordedExchanges {
  /** Examples keyed by operation, such as `GET_v1_data_teams_{uuid}`. */
  readonly examples: Readonly<Record<string, readonly ReferenceExample[]>>;
  readonly decisions: readonly Decision[];
}

export interface ReferenceOptions {
  readonly schema: GraphQLSchema;
  readonly routes: readonly Routes[];
  readonly records: readonly LegacyRecord[];
  readonly recorded: RecordedExchanges;
}

/**
 * Returns the reference of the legacy interface. Throws if a record table or a route table does not match the GraphQL schema, or if an
 * operation is not in exactly one group.
 */
export function createReference({ schema, routes, records, recorded }: ReferenceOptions): Reference {
  const problems: string[] = [];
  const codecs = codecsOf(schema, records, (problem) => problems.push(problem), { isLazy: true });
  const resolve = schemasOf(schema, records, codecs);
  const context = { schema, codecs, resolve, examples: recorded.examples, decisions: createDecisionFinder(recorded.decisions) };
  const entries = entriesOf(routes);
  for (const { method, path } of entries)
    if (groups.filter(({ pathPattern }) => pathPattern.test(path)).length !== 1)
      problems.push(`${method} ${path} must match exactly one group in compat/reference/groups.ts`);
  const filledGroups = groups.map(({ title, description, pathPattern }) => ({
    title,
    description,
    operations: entries.filter(({ path }) => pathPattern.test(path)).map((entry) => operationOf(entry, title, context)),
  }));
  const operations = filledGroups.flatMap((group) => group.operations);
  const bodies = operations.map(({ request, responses }) => [request?.schema, responses.map((answer) => answer.schema)]);
  const schemas = referencedSchemas(bodies, resolve);
  if (problems.length) throw new Error(problems.join('\n'));
  return { groups: filledGroups, schemas };
}
