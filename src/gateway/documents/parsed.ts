import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/**
 * What a process keeps of the documents that it has read, by their texts; with a document goes what was compiled of it. Bounded by their
 * lengths, and not by their number alone: a text may have a megabyte, and what is made of it takes about fifty times that.
 */
const bounded = <V extends object>(maxCharacters: number) =>
  new LRUCache<string, V>({
    max: 1_024,
    maxSize: maxCharacters,
    sizeCalculation: (_, { length }) => length || 1,
    ttl: 3_600_000,
  });

/** The caches of Yoga. */
export const parsedDocuments = () => ({
  documentCache: bounded<DocumentNode>(1_000_000),
  // An error leads to all of its document.
  errorCache: bounded<Error>(250_000),
});
