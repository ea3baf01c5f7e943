import type { DocumentNode } from 'graphql';
import { bounded, forGood } from '../../kernel/bounded.js';

/**
 * What a process keeps of the documents that it has read, by their texts; with a document goes what was compiled of it. Bounded by their
 * lengths, and not by their number alone: a text may have a megabyte, and what is made of it takes about fifty times that.
 */
const byText = <V extends object>(what: string, maxCharacters: number) =>
  bounded<string, V>(
    { what, most: `512, and ${maxCharacters / 1e6} MB of text`, until: forGood },
    { max: 512, maxSize: maxCharacters, sizeCalculation: (_, { length }) => length || 1, ttl: 3_600_000 },
  );

/** The caches of Yoga: of a document that comes back, what was compiled of it takes a hundred times its text. */
export const parsedDocuments = (whose = 'documents of `/graphql`') => ({
  documentCache: byText<DocumentNode>(`${whose}, parsed, checked and compiled`, 500_000),
  // An error leads to all of its document.
  errorCache: byText<Error>(`${whose} that are refused`, 250_000),
});
