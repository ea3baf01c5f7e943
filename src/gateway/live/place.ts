import { type DocumentNode, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ChangePlace } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';

declare module '../../kernel/declare/context.js' {
  interface Context {
    /** Where the log of changes was before anything was read; only of operations that ask for it. */
    place?: ChangePlace;
  }
}

const known = new WeakMap<DocumentNode, boolean>();

/** Whether a document asks at its root for where the log is. */
function asksForPlace(document: DocumentNode): boolean {
  const found =
    known.get(document) ??
    document.definitions.some(
      (definition) =>
        'selectionSet' in definition &&
        definition.selectionSet?.selections.some((field) => field.kind === Kind.FIELD && field.name.value === 'liveCursor'),
    );
  known.set(document, found);
  return found;
}

/** Has operations that ask where the log is read everything else after that: fields are read at one time, and what was written meanwhile would be missed. */
export const placed: Plugin<Context> = {
  onExecute({ args }) {
    if (!asksForPlace(args.document)) return undefined;
    const context = args.contextValue as Context;
    return context.services.changes.here().then((place) => void Object.assign(context, { place }));
  },
};
