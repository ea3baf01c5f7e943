import type { IncomingMessage } from 'node:http';

/** Maximum size of a recorded body, in bytes. Larger bodies are forwarded but not recorded. */
export const maxBodySize: number = 16 * 2 ** 20;

/** Captured body of a message. */
export interface CapturedBody {
  /** The body so far. Null if it is too large. */
  body(): Buffer | null;
  readonly bytes: number;
}

/** Captures the body of a message while it is forwarded. */
export function capture(message: IncomingMessage): CapturedBody {
  const chunks: Buffer[] = [];
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBodySize) chunks.push(chunk);
    else chunks.length = 0;
  });
  return {
    body: () => (bytes <= maxBodySize ? Buffer.concat(chunks) : null),
    get bytes() {
      return bytes;
    },
  };
}
