import { type GraphQLSchema, parse, validate } from 'graphql';
import type { Logger } from 'pino';
import { limitErrors } from '../limits/request-limits.js';
import { readDocumentManifest } from './document-manifest.js';

/** Documents that `/graphql` trusts. */
export interface TrustedDocuments {
  /** Documents of the manifest, keyed by ID. */
  byId: ReadonlyMap<string, string>;
  /** Documents of the manifest and of the console. */
  texts: ReadonlySet<string>;
  /** Whether `/graphql` rejects all other documents. */
  isRequired: boolean;
}

/**
 * Reads a manifest. Throws a StartProblem if it is unreadable or invalid. Documents that do not match the schema are logged, and fail when
 * a client sends them. `ownTexts` are documents of this release, which are also trusted.
 */
export async function trustedDocuments(
  path: string,
  isRequired: boolean,
  schema: GraphQLSchema,
  log: Logger,
  ownTexts: readonly string[] = [],
): Promise<TrustedDocuments> {
  const entries = await readDocumentManifest(path);
  const invalidIds = entries.filter(([, document]) => !isValidDocument(schema, document)).map(([id]) => id);
  if (invalidIds.length)
    log.warn({ ids: invalidIds.slice(0, 20), count: invalidIds.length }, 'trusted documents do not match the schema');
  return { byId: new Map(entries), texts: new Set([...ownTexts, ...entries.map(([, document]) => document)]), isRequired };
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
