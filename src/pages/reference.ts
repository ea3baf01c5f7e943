import type { GraphQLSchema } from 'graphql';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { makeReference, type Reference } from '../../compat/reference/index.js';
import { builtRecorded, packRecorded } from './recorded-files.js';

/** Where the build has put it: beside the parts that the service is bundled in. */
const built = `${import.meta.dirname}/../reference/recorded.json`;

const made = new WeakMap<GraphQLSchema, Reference>();

/** What there is to read of the legacy interface, made when it is first asked for. */
export function referenceOf(schema: GraphQLSchema): Reference {
  const known = made.get(schema);
  if (known) return known;
  const recorded = builtRecorded(built) ?? packRecorded(`${import.meta.dirname}/../..`);
  const reference = makeReference({ schema, routes: legacyRoutes, records: legacyRecords, recorded });
  made.set(schema, reference);
  return reference;
}
