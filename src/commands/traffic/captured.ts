import type { IncomingMessage } from 'node:http';

/** Most bytes of a body that are kept: what is longer passes, and is not in the file. */
export const mostCaptured: number = 16 * 2 ** 20;

/** What passed of a message. */
export interface Captured {
  /** Null where it is longer than what is kept. */
  body(): Buffer | null;
  readonly bytes: number;
}

/** Keeps what passes, while it passes. */
export function capture(message: IncomingMessage): Captured {
  const pieces: Buffer[] = [];
  let bytes = 0;
  message.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= mostCaptured) pieces.push(piece);
    else pieces.length = 0;
  });
  return {
    body: () => (bytes <= mostCaptured ? Buffer.concat(pieces) : null),
    get bytes() {
      return bytes;
    },
  };
}
