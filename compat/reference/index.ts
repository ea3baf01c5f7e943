import type { GraphQLSchema } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { codecsOf } from '../engine/bind/codec.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { entriesOf, type Routes } from '../engine/route.js';
import type { Decision } from './decisions.js';
import { groups } from './groups.js';
import type { Reference, ReferenceExample } from './operation.js';
import { operationOf } from './operations.js';
import { namesIn, schemasOf } from './schemas.js';

export type { Decision } from './decisions.js';
export { operationName } from './names.js';
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

/** The schemas to which some others refer, themselves and one by another. */
function usedSchemas(roots: readonly unknown[], resolve: (name: string) => JsonSchema | undefined): Record<string, JsonSchema> {
  const used: Record<string, JsonSchema> = {};
  const add = (schema: unknown): void => {
    for (const name of namesIn(schema)) {
      const found = resolve(name);
      if (!found || used[name]) continue;
      used[name] = found;
      add(found);
    }
  };
  for (const root of roots) add(root);
  return Object.fromEntries(Object.entries(used).toSorted(([a], [b]) => a.localeCompare(b)));
}

/** The whole legacy interface as people read of it, made of its tables and of what was recorded. */
export function makeReference({ schema, routes, records, recorded }: ReferenceOptions): Reference {
  const problems: string[] = [];
  const codecs = codecsOf(schema, records, (problem) => problems.push(problem), { lazily: true });
  const resolve = schemasOf(schema, records, codecs);
  const entries = entriesOf(routes);
  const made = groups.map(({ title, about, holds }) => ({
    title,
    about,
    operations: entries
      .filter(({ path }) => holds.test(path))
      .map((entry) => operationOf(entry, title, { schema, codecs, resolve, ...recorded })),
  }));
  const operations = made.flatMap((group) => group.operations);
  const schemas = usedSchemas(
    operations.map(({ request, answers }) => [request?.schema, answers.map((answer) => answer.schema)]),
    resolve,
  );
  if (problems.length) throw new Error(problems.join('\n'));
  return { groups: made, schemas };
}
