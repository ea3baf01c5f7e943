import { type DocumentNode, visit } from 'graphql';
import { createCache, validForever } from '../../kernel/caches.js';

/**
 * Creates a cache of documents, keyed by their text. Both the number and the total length of the texts are limited. A parsed document takes
 * about fifty times as much memory as its text.
 */
const documentCache = <V extends object>(description: string, maxCharacters: number) =>
  createCache<string, V>(
    { name: description, limit: `512, and ${maxCharacters / 1e6} MB of text`, validity: validForever },
    { max: 512, maxSize: maxCharacters, sizeCalculation: (_, { length }) => length || 1, ttl: 3_600_000 },
  );

/**
 * Creates the document caches for Yoga. Documents that run repeatedly are compiled, and then take a hundred times as much memory as their
 * text.
 */
export const parsedDocuments = (owner = 'documents of `/graphql`') => ({
  documentCache: documentCache<DocumentNode>(`${owner}, parsed, validated and compiled`, 500_000),
  // An error keeps its whole document in memory, so this cache is smaller.
  errorCache: documentCache<Error>(`rejected ${owner}`, 250_000),
});

/**
 * Removes the tokens of a document, except for the start token of each node. The parser links all tokens, and they take a quarter of the
 * document's memory.
 */
export function withoutTokens(document: DocumentNode): DocumentNode {
  visit(document, {
    enter({ loc }) {
      if (!loc) return;
      Object.assign(loc.startToken, { prev: null, next: null });
      Object.assign(loc, { endToken: loc.startToken });
    },
  });
  return document;
}
