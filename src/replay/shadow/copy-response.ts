import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { onClose } from '../../process/on-close.js';

/** A copy of a sent response. */
export interface CopiedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const bytesOf = (chunk: unknown, encoding: unknown): Buffer | null => {
  if (typeof chunk === 'string') return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : null;
};

/**
 * Copies a response while it is sent. Then calls `onComplete` with the copy, or with null if the response is interrupted or larger than `maxBytes`.
 */
export function copyResponse(
  response: ServerResponse,
  maxBytes: number,
  onComplete: (copy: CopiedResponse | null) => void,
): void {
  const pieces: Buffer[] = [];
  let length = 0;
  let writtenHeaders: Record<string, unknown> = {};
  const copyChunk = (chunk: unknown, encoding: unknown) => {
    const bytes = bytesOf(chunk, encoding);
    if (!bytes) return;
    length += bytes.length;
    if (length <= maxBytes) pieces.push(bytes);
    else pieces.length = 0;
  };
  const { writeHead, write, end } = response;
  response.writeHead = ((...args: [number, ...unknown[]]) => {
    const headers = args.at(-1);
    if (typeof headers === 'object' && headers !== null && !Array.isArray(headers)) writtenHeaders = { ...headers };
    return Reflect.apply(writeHead, response, args);
  }) as typeof writeHead;
  response.write = ((...args: [unknown, unknown]) => {
    copyChunk(args[0], args[1]);
    return Reflect.apply(write, response, args);
  }) as typeof write;
  response.end = ((...args: [unknown, unknown]) => {
    copyChunk(args[0], args[1]);
    return Reflect.apply(end, response, args);
  }) as typeof end;
  onClose(response, () => {
    if (!response.writableFinished || length > maxBytes) return onComplete(null);
    const headers = Object.entries({ ...response.getHeaders(), ...writtenHeaders }).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : String(value),
    ]);
    onComplete({ status: response.statusCode, headers: Object.fromEntries(headers), body: Buffer.concat(pieces) });
  });
}
