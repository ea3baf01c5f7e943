import { reject } from '../declare/errors.js';

/** A place in the log: everything up to there is known to whoever has it. */
export interface ChangePlace {
  readonly log: string;
  readonly position: number;
}

/** A place as clients keep it. */
export const changeCursor = ({ log, position }: ChangePlace): string =>
  Buffer.from(`${log}.${position.toString(36)}`).toString('base64url');

/** The place of a cursor; BAD_INPUT for what is none, which names the argument. */
export function placeOfCursor(cursor: string, argument = 'after'): ChangePlace {
  const [, log, position] = /^([\w-]{8})\.([0-9a-z]{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (!log || !position) return reject(argument, 'a cursor of a change, or of liveCursor');
  return { log, position: Number.parseInt(position, 36) };
}
