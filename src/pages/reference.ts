import type { GraphQLSchema } from 'graphql';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { createReference, type Reference } from '../../compat/reference/index.js';
import { readBuiltExchanges, readRecordedExchanges } from './recorded-files.js';

/** Examples and decisions that the build stores next to the bundled service. */
const builtFile = `${import.meta.dirname}/../reference/recorded.json`;

const references = new WeakMap<GraphQLSchema, Reference>();

/** Returns the reference of `/v1` for a schema. Derives it on the first call. */
export function referenceOf(schema: GraphQLSchema): Reference {
  const cached = references.get(schema);
  if (cached) return cached;
  const recorded = readBuiltExchanges(builtFile) ?? readRecordedExchanges(`${import.meta.dirname}/../..`);
  const reference = createReference({ schema, routes: legacyRoutes, records: legacyRecords, recorded });
  references.set(schema, reference);
  return reference;
}
