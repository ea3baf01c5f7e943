import type { DocumentNode } from 'graphql';
import { createCache, validForever } from '../../kernel/caches.js';

/**
 * Document cache by text. Each entry also holds the compiled operation. Limited by total length as well as by number, because a
 * text can have a megabyte and its parsed form takes about fifty times as much memory.
 */
const documentCache = <V extends object>(description: string, maxCharacters: number) =>
  createCache<string, V>(
    { name: description, limit: `512, and ${maxCharacters / 1e6} MB of text`, validity: validForever },
    { max: 512, maxSize: maxCharacters, sizeCalculation: (_, { length }) => length || 1, ttl: 3_600_000 },
  );

/**
 * Creates the document caches of Yoga. A document that runs repeatedly is compiled and takes a hundred times the size of its
 * text.
 */
export const parsedDocuments = (owner = 'documents of `/graphql`') => ({
  documentCache: documentCache<DocumentNode>(`${owner}, parsed, validated and compiled`, 500_000),
  // An error references its whole document.
  errorCache: documentCache<Error>(`rejected ${owner}`, 250_000),
});
