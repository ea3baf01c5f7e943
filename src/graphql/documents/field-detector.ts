import { BREAK, type DocumentNode, visit } from 'graphql';

/** Returns a function that reports whether a document selects at least one of the fields. Results are cached per document. */
export function fieldDetector(...names: readonly string[]): (document: DocumentNode) => boolean {
  const results = new WeakMap<DocumentNode, boolean>();
  return (document) => {
    let isSelected = results.get(document);
    if (isSelected !== undefined) return isSelected;
    isSelected = false;
    visit(document, {
      Field({ name }) {
        if (!names.includes(name.value)) return undefined;
        isSelected = true;
        return BREAK;
      },
    });
    results.set(document, isSelected);
    return isSelected;
  };
}
