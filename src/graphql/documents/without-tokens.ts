import { type DocumentNode, visit } from 'graphql';

/**
 * Removes the token list of a document, except for the start token of each node. The parser links all tokens, which would keep a
 * quarter of the document's memory in use.
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
