import type { GraphQLSchema } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { type Codecs, codecsOf } from '../engine/bind/codec.js';
import { parsedOperation } from '../engine/bind/document.js';
import { entriesOf, type RouteEntry, type Routes } from '../engine/route.js';
import { executedOperation, printedDocument } from './calls.js';
import { operationName } from './names.js';
import type { ReferenceCall } from './operation.js';

/** A GraphQL operation that replaces a route. */
export interface Replacement extends Omit<ReferenceCall, 'variables' | 'coordinates'> {
  readonly rootFields: readonly string[];
}

/** A route with the GraphQL operations that replace it. */
export interface Replaceable {
  /** Method and path, such as `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  readonly name: string;
  readonly entry: RouteEntry;
  readonly calls: readonly Replacement[];
}

function callsOf({ method, path, alternatives }: RouteEntry, schema: GraphQLSchema, codecs: Codecs): Replacement[] {
  const name = operationName(method, path);
  return alternatives.map((route) => {
    const source = parsedOperation(route.operation, schema);
    const operation = executedOperation(route, source);
    return {
      when: alternatives.length > 1 ? (route.summary ?? null) : null,
      document: printedDocument(operation, name, codecs, schema).document,
      rootFields: source.roots.map((root) => root.name.value),
    };
  });
}

/**
 * Returns a function that finds a route by its method and path, such as `GET /v1/data/teams/{uuid}`, or by its operation name, such as
 * `getDataTeamsUuid`. The GraphQL operations are created on first access.
 */
export function createReplacementFinder(
  schema: GraphQLSchema,
  routes: readonly Routes[],
  records: readonly LegacyRecord[],
): (key: string) => Replaceable | null {
  const codecs = codecsOf(schema, records, () => undefined, { isLazy: true });
  const byKey = new Map<string, Replaceable>();
  for (const entry of entriesOf(routes)) {
    const { method, path } = entry;
    const [route, name] = [`${method} ${path}`, operationName(method, path)];
    let calls: Replacement[] | undefined;
    const replaceable: Replaceable = {
      route,
      name,
      entry,
      get calls() {
        calls ??= callsOf(entry, schema, codecs);
        return calls;
      },
    };
    byKey.set(route, replaceable).set(name, replaceable);
  }
  return (key) => byKey.get(key) ?? null;
}
