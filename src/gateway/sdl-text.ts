import { type DocumentNode, print, visit } from 'graphql';

/** SDL with each description of one line on a line of its own, without the two that a block string adds. */
export const sdlText = (document: DocumentNode): string =>
  `${print(
    visit(document, {
      StringValue: (node) => (node.block && !/[\n"\\]/.test(node.value) ? { ...node, block: false } : undefined),
    }),
  )}\n`;
