import { BREAK, type DocumentNode, visit } from 'graphql';
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

/** Whether a document asks for where the log is, in whichever selection. */
function asksForPlace(document: DocumentNode): boolean {
  let found = known.get(document);
  if (found !== undefined) return found;
  found = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== 'liveCursor') return undefined;
      found = true;
      return BREAK;
    },
  });
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
