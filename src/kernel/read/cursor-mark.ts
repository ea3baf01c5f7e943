import { createHash } from 'node:crypto';

/** Eight characters that stand for what a cursor belongs to: one of another list, or of another order, is refused by them. */
export const markOf = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 8);
