import { createHash } from 'node:crypto';

/** Returns a hash of a list and its order, 8 characters. Cursors contain it, to detect cursors of another list or order. */
export const listHash = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 8);
