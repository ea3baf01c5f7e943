import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { createCache, validForever } from '../../kernel/caches.js';
import { statuses } from '../../kernel/declare/errors.js';
import type { TrustedDocuments } from './trusted.js';

/** Maximum total length of persisted documents per process, in characters. */
const maxCharacters = 8_000_000;

/** Request parameter for the ID of a document. Clients can also use Apollo's `persistedQuery` extension. */
export const documentId = 'documentId';

interface DocumentParams {
  query?: unknown;
  extensions?: { persistedQuery?: unknown };
  documentId?: unknown;
}

const persistedQuerySchema = z.object({ version: z.literal(1), sha256Hash: z.string().min(1) });

const refuse = (message: string, code: string, status: number): never => {
  throw new GraphQLError(message, { extensions: { code, http: { status } } });
};

/**
 * Returns the ID of the requested document. With Apollo's `persistedQuery` extension, the ID is the SHA-256 hash of the document's text,
 * and is also returned as `hash`. If the request contains the text, it must match `hash`.
 */
function documentIdOf(
  { query, extensions, documentId: bodyId }: DocumentParams,
  { method, url }: Request,
): { id?: string; hash?: string } {
  const { persistedQuery } = extensions ?? {};
  if (persistedQuery !== undefined && persistedQuery !== null) {
    const { data } = persistedQuerySchema.safeParse(persistedQuery);
    if (!data)
      return refuse('extensions.persistedQuery: expected { version: 1, sha256Hash: "…" }', 'BAD_INPUT', statuses.BAD_INPUT);
    return { id: data.sha256Hash, hash: data.sha256Hash };
  }
  const id = method === 'GET' && !query ? new URL(url).searchParams.get(documentId) : bodyId;
  return typeof id === 'string' && id !== '' ? { id: id.replace(/^sha256:/, '') } : {};
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Creates a plugin that accepts the ID of a document instead of its text. The ID is from the manifest, or is the SHA-256 hash of a text
 * that the process has received before (automatic persisted queries). All checks and limits apply as usual.
 */
export function persistedDocumentsPlugin(trusted: TrustedDocuments | null): Plugin {
  const isRequired = trusted?.isRequired === true;
  const documentsByHash = createCache<string, string>(
    { name: 'persisted documents, keyed by hash', limit: `${maxCharacters / 1e6} MB of text`, validity: validForever },
    { maxSize: maxCharacters, sizeCalculation: ({ length }) => length || 1 },
  );
  return {
    onParams({ params, request, setParams }) {
      const { query } = params;
      const { id, hash } = documentIdOf(params, request);
      if (typeof query === 'string') {
        if (isRequired && !trusted.texts.has(query))
          refuse(
            'expected a trusted document: this service runs only the documents of its manifest',
            'PERSISTED_QUERY_ONLY',
            statuses.FORBIDDEN,
          );
        if (hash === undefined || trusted?.byId.get(hash) === query) return;
        if (hashOf(query) !== hash) refuse('provided sha does not match query', 'PERSISTED_QUERY_MISMATCH', statuses.BAD_INPUT);
        if (!isRequired) documentsByHash.set(hash, query);
      } else if (id !== undefined) {
        const text = trusted?.byId.get(id) ?? documentsByHash.get(id);
        // Status 200, as in Apollo Server. Mobile clients ignore the body of other responses, but need the error code to know that they
        // must send the text.
        if (text === undefined) return refuse('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 200);
        setParams({ ...params, query: text });
      }
    },
  };
}
