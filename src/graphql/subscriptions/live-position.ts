import { BREAK, type DocumentNode, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ChangePosition } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';

declare module '../../kernel/declare/context.js' {
  interface Context {
    /** Position of the change log before the first read. Set only if the operation selects `liveCursor`. */
    livePosition?: ChangePosition;
  }
}

const documentsWithCursor = new WeakMap<DocumentNode, boolean>();

/** Whether a document selects `liveCursor`. */
function selectsLiveCursor(document: DocumentNode): boolean {
  let isSelected = documentsWithCursor.get(document);
  if (isSelected !== undefined) return isSelected;
  isSelected = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== 'liveCursor') return undefined;
      isSelected = true;
      return BREAK;
    },
  });
  documentsWithCursor.set(document, isSelected);
  return isSelected;
}

/** Yoga plugin that reads the log position before any field. Otherwise, a change between both reads could be missed. */
export const readLivePosition: Plugin<Context> = {
  onExecute({ args }) {
    if (!selectsLiveCursor(args.document)) return undefined;
    const context = args.contextValue as Context;
    return context.services.changes.currentPosition().then((livePosition) => void Object.assign(context, { livePosition }));
  },
};
