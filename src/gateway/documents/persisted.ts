import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { bounded, forGood } from '../../kernel/bounded.js';
import { statuses } from '../../kernel/declare/errors.js';
import type { TrustedDocuments } from './trusted.js';

/** Characters of the documents that clients have had kept, in each process. */
const maxCharacters = 8_000_000;

/** Parameter by which a document may be named; the other one is Apollo's extension. */
export const documentId = 'documentId';

interface Named {
  query?: unknown;
  extensions?: { persistedQuery?: unknown };
  documentId?: unknown;
}

const extension = z.object({ version: z.literal(1), sha256Hash: z.string().min(1) });

const refuse = (message: string, code: string, status: number): never => {
  throw new GraphQLError(message, { extensions: { code, http: { status } } });
};

/** What a request names its document by: the id of a manifest, or the SHA-256 of its text, which is to be checked where both come. */
function nameOf({ query, extensions, documentId: given }: Named, { method, url }: Request): { id?: string; hash?: string } {
  const { persistedQuery } = extensions ?? {};
  if (persistedQuery !== undefined && persistedQuery !== null) {
    const { data } = extension.safeParse(persistedQuery);
    if (!data)
      return refuse('extensions.persistedQuery: expected { version: 1, sha256Hash: "…" }', 'BAD_INPUT', statuses.BAD_INPUT);
    return { id: data.sha256Hash, hash: data.sha256Hash };
  }
  const id = method === 'GET' && !query ? new URL(url).searchParams.get(documentId) : given;
  return typeof id === 'string' && id !== '' ? { id: id.replace(/^sha256:/, '') } : {};
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Lets requests name their document instead of sending it: one of the manifest by its id, any other by its SHA-256 once a process has seen
 * it (Apollo's automatic persisted queries). What is named is parsed, checked and limited as if it had been sent.
 */
export function persisted(trusted: TrustedDocuments | null): Plugin {
  const isRequired = trusted?.isRequired === true;
  const seen = bounded<string, string>(
    { what: 'documents that clients name by their hashes', most: `${maxCharacters / 1e6} MB of text`, until: forGood },
    { maxSize: maxCharacters, sizeCalculation: ({ length }) => length || 1 },
  );
  return {
    onParams({ params, request, setParams }) {
      const { query } = params;
      const { id, hash } = nameOf(params, request);
      if (typeof query === 'string') {
        if (isRequired && !trusted.texts.has(query))
          refuse('expected a document of the manifest: this server runs no others', 'PERSISTED_QUERY_ONLY', statuses.FORBIDDEN);
        if (hash === undefined || trusted?.byId.get(hash) === query) return;
        if (hashOf(query) !== hash) refuse('provided sha does not match query', 'PERSISTED_QUERY_MISMATCH', statuses.BAD_INPUT);
        if (!isRequired) seen.set(hash, query);
      } else if (id !== undefined) {
        const text = trusted?.byId.get(id) ?? seen.get(id);
        // A 200, as Apollo Server's is: clients for phones look at no body of another status. They send the text then.
        if (text === undefined) return refuse('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 200);
        setParams({ ...params, query: text });
      }
    },
  };
}
