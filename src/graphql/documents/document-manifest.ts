import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { StartProblem } from '../../process/start-problem.js';

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

/** Reads the IDs and documents of a manifest. Throws a StartProblem if it is unreadable or invalid. */
export async function readDocumentManifest(path: string): Promise<[id: string, document: string][]> {
  const json = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartProblem(`TRUSTED_DOCUMENTS: cannot read the file: ${error.message}.`);
  });
  const entries = manifestEntries(parseJson(json));
  if (!entries)
    throw new StartProblem(
      `TRUSTED_DOCUMENTS: ${path} is not a manifest. Expected Apollo's persisted query manifest, or a JSON object that maps hashes to documents.`,
    );
  return entries;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
