import type { Plugin } from 'graphql-yoga';
import type { ChangePosition } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';
import { fieldDetector } from '../documents/field-detector.js';

declare module '../../kernel/declare/context.js' {
  interface Context {
    /** Position of the change log before the operation reads any data. Set only if the operation selects `liveCursor`. */
    livePosition?: ChangePosition;
  }
}

const selectsLiveCursor = fieldDetector('liveCursor');

/**
 * Yoga plugin that reads the log position before any field is resolved. If the position were read after the data, a client that subscribes
 * from it would miss the changes in between.
 */
export const readLivePosition: Plugin<Context> = {
  onExecute({ args }) {
    if (!selectsLiveCursor(args.document)) return undefined;
    const context = args.contextValue as Context;
    return context.services.changes.currentPosition().then((livePosition) => void Object.assign(context, { livePosition }));
  },
};
