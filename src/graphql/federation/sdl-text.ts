import { type DocumentNode, print, visit } from 'graphql';

/** Prints a document as SDL, with single-line descriptions in `"…"` instead of block strings. */
export const sdlText = (document: DocumentNode): string =>
  `${print(
    visit(document, {
      StringValue: (node) => (node.block && !/[\n"\\]/.test(node.value) ? { ...node, block: false } : undefined),
    }),
  )}\n`;
