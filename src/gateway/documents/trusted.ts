import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, parse, validate } from 'graphql';
import type { Logger } from 'pino';
import { z } from 'zod';
import { StartProblem } from '../../start-problem.js';
import { beyondLimits } from '../limits.js';

/** Documents of known clients, by the ids by which they may be sent. */
export interface TrustedDocuments {
  byId: ReadonlyMap<string, string>;
  texts: ReadonlySet<string>;
  /** Nothing else runs at `/graphql`. */
  isRequired: boolean;
}

const text = z.string().min(1);
/** What Apollo's generate-persisted-query-manifest writes. */
const apollo = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: text, body: text })),
});
/** What GraphQL Code Generator's client preset writes: documents by their hashes. */
const plain = z.record(text, text);

const pairsOf = (manifest: unknown): [string, string][] | null => {
  const ofApollo = apollo.safeParse(manifest);
  if (ofApollo.success) return ofApollo.data.operations.map(({ id, body }) => [id, body]);
  const { success, data = {} } = plain.safeParse(manifest);
  return success && !('format' in data) ? Object.entries(data) : null;
};

/** Reads a manifest. One that cannot be read stops the start; a document that the graph does not know (any more) is refused when it comes. */
export async function trustedDocuments(
  path: string,
  isRequired: boolean,
  schema: GraphQLSchema,
  log: Logger,
): Promise<TrustedDocuments> {
  const json = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartProblem(`TRUSTED_DOCUMENTS names a file that cannot be read: ${error.message}.`);
  });
  const pairs = pairsOf(parsed(json));
  if (!pairs)
    throw new StartProblem(
      `TRUSTED_DOCUMENTS names a file that is no manifest: ${path}. Expected Apollo's persisted query manifest, or a JSON object of documents by their hashes.`,
    );
  const unknown = pairs.filter(([, document]) => !isKnown(schema, document)).map(([id]) => id);
  if (unknown.length)
    log.warn({ ids: unknown.slice(0, 20), count: unknown.length }, 'trusted documents that the graph does not know');
  return { byId: new Map(pairs), texts: new Set(pairs.map(([, document]) => document)), isRequired };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isKnown(schema: GraphQLSchema, document: string): boolean {
  try {
    const parsed = parse(document);
    // What is too much is refused for that when it comes, and is not looked at before.
    return beyondLimits(schema, parsed).length > 0 || validate(schema, parsed).length === 0;
  } catch {
    return false;
  }
}
