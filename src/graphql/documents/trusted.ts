import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, parse, validate } from 'graphql';
import type { Logger } from 'pino';
import { z } from 'zod';
import { StartProblem } from '../../process/start-problem.js';
import { limitErrors } from '../limits/request-limits.js';

/** Documents of registered clients, from the manifest. */
export interface TrustedDocuments {
  byId: ReadonlyMap<string, string>;
  texts: ReadonlySet<string>;
  /** Whether `/graphql` rejects all other documents. */
  isRequired: boolean;
}

const nonEmptyText = z.string().min(1);
/** Format of `@apollo/generate-persisted-query-manifest`. */
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: nonEmptyText, body: nonEmptyText })),
});
/** Manifest format of the GraphQL Code Generator client preset: documents, keyed by hash. */
const hashManifest = z.record(nonEmptyText, nonEmptyText);

const manifestEntries = (manifest: unknown): [string, string][] | null => {
  const apolloResult = apolloManifest.safeParse(manifest);
  if (apolloResult.success) return apolloResult.data.operations.map(({ id, body }) => [id, body]);
  const { success, data = {} } = hashManifest.safeParse(manifest);
  return success && !('format' in data) ? Object.entries(data) : null;
};

/**
 * Reads a manifest. Throws a StartProblem if it is unreadable or invalid. Documents that do not match the schema are logged, and
 * fail when a client sends them.
 */
export async function trustedDocuments(
  path: string,
  isRequired: boolean,
  schema: GraphQLSchema,
  log: Logger,
): Promise<TrustedDocuments> {
  const json = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartProblem(`TRUSTED_DOCUMENTS: cannot read the file: ${error.message}.`);
  });
  const entries = manifestEntries(parseJson(json));
  if (!entries)
    throw new StartProblem(
      `TRUSTED_DOCUMENTS: ${path} is not a manifest. Expected Apollo's persisted query manifest, or a JSON object that maps hashes to documents.`,
    );
  const invalidIds = entries.filter(([, document]) => !isValidDocument(schema, document)).map(([id]) => id);
  if (invalidIds.length)
    log.warn({ ids: invalidIds.slice(0, 20), count: invalidIds.length }, 'trusted documents do not match the schema');
  return { byId: new Map(entries), texts: new Set(entries.map(([, document]) => document)), isRequired };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isValidDocument(schema: GraphQLSchema, document: string): boolean {
  try {
    const documentNode = parse(document);
    // Skips the validation of documents that exceed a limit, because it can be slow. Requests with these documents are rejected anyway.
    return limitErrors(schema, documentNode).length > 0 || validate(schema, documentNode).length === 0;
  } catch {
    return false;
  }
}
