import { createHash } from 'node:crypto';

/** Hash of a list and its order, 8 characters. Cursors contain it, so that cursors of other lists and orders are rejected. */
export const listHash = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 8);
