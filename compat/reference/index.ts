import type { GraphQLSchema } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { codecsOf } from '../engine/bind/codec.js';
import { entriesOf, type Routes } from '../engine/route.js';
import { type Decision, decisionsFor } from './decisions.js';
import { groups } from './groups.js';
import type { Reference, ReferenceExample } from './operation.js';
import { operationOf } from './operations.js';
import { schemasIn, schemasOf } from './schemas.js';

export type { Decision } from './decisions.js';
export { openApiDocument } from './openapi/index.js';
export type * from './operation.js';

/** What the reference tells beside what its tables say. */
export interface Recorded {
  /** Requests with their answers by operation, which is called `GET_v1_data_teams_{uuid}`. */
  readonly examples: Readonly<Record<string, readonly ReferenceExample[]>>;
  readonly decisions: readonly Decision[];
}

export interface ReferenceOptions {
  readonly schema: GraphQLSchema;
  readonly routes: readonly Routes[];
  readonly records: readonly LegacyRecord[];
  readonly recorded: Recorded;
}

/** The whole legacy interface as people read of it, made of its tables and of what was recorded. */
export function makeReference({ schema, routes, records, recorded }: ReferenceOptions): Reference {
  const problems: string[] = [];
  const codecs = codecsOf(schema, records, (problem) => problems.push(problem), { lazily: true });
  const resolve = schemasOf(schema, records, codecs);
  const making = { schema, codecs, resolve, examples: recorded.examples, decisions: decisionsFor(recorded.decisions) };
  const entries = entriesOf(routes);
  for (const { method, path } of entries)
    if (groups.filter(({ holds }) => holds.test(path)).length !== 1)
      problems.push(`${method} ${path} stands in no group of the reference, or in several`);
  const made = groups.map(({ title, about, holds }) => ({
    title,
    about,
    operations: entries.filter(({ path }) => holds.test(path)).map((entry) => operationOf(entry, title, making)),
  }));
  const operations = made.flatMap((group) => group.operations);
  const bodies = operations.map(({ request, answers }) => [request?.schema, answers.map((answer) => answer.schema)]);
  const schemas = schemasIn(bodies, resolve);
  if (problems.length) throw new Error(problems.join('\n'));
  return { groups: made, schemas };
}
