import { reject } from '../declare/errors.js';

/** Position in a change log. A client that resumes from it receives only later changes. */
export interface ChangePosition {
  readonly log: string;
  readonly position: number;
}

/** Encodes a position as a cursor for clients. */
export const changeCursor = ({ log, position }: ChangePosition): string =>
  Buffer.from(`${log}.${position.toString(36)}`).toString('base64url');

/** Decodes a cursor. Throws BAD_INPUT for `argument` if the cursor is invalid. */
export function parseChangeCursor(cursor: string, argument = 'after'): ChangePosition {
  const [, log, position] = /^([\w-]{8})\.([0-9a-z]{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (!log || !position) return reject(argument, 'the `cursor` of a change, or the value of `liveCursor`');
  return { log, position: Number.parseInt(position, 36) };
}
