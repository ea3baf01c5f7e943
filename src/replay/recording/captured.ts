import type { IncomingMessage } from 'node:http';

/** Maximum size of a recorded body, in bytes. Larger bodies are forwarded but not recorded. */
export const maxBodySize: number = 16 * 2 ** 20;

/** Captured body of a request or response. */
export interface CapturedBody {
  /** Returns the body that has arrived. Null if it is larger than `maxBodySize`. */
  body(): Buffer | null;
  /** Number of bytes that have arrived. */
  readonly bytes: number;
}

/** Captures the body of a request or response while it is forwarded. */
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
