import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** A copied response. */
export interface CopiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const bytesOf = (chunk: unknown, encoding: unknown): Buffer | null => {
  if (typeof chunk === 'string') return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : null;
};

/**
 * Copies a response while it is written, up to `most` bytes. Calls `done` when it is complete, with null if it was not copied.
 */
export function copyAnswer(response: ServerResponse, most: number, done: (answer: CopiedAnswer | null) => void): void {
  const pieces: Buffer[] = [];
  let length = 0;
  let told: Record<string, unknown> = {};
  const keep = (chunk: unknown, encoding: unknown) => {
    const bytes = bytesOf(chunk, encoding);
    if (!bytes) return;
    length += bytes.length;
    if (length <= most) pieces.push(bytes);
    else pieces.length = 0;
  };
  const { writeHead, write, end } = response;
  response.writeHead = ((...given: [number, ...unknown[]]) => {
    const headers = given.at(-1);
    if (typeof headers === 'object' && headers !== null && !Array.isArray(headers)) told = { ...headers };
    return Reflect.apply(writeHead, response, given);
  }) as typeof writeHead;
  response.write = ((...given: [unknown, unknown]) => {
    keep(given[0], given[1]);
    return Reflect.apply(write, response, given);
  }) as typeof write;
  response.end = ((...given: [unknown, unknown]) => {
    keep(given[0], given[1]);
    return Reflect.apply(end, response, given);
  }) as typeof end;
  response.once('close', () => {
    if (!response.writableFinished || length > most) return done(null);
    const headers = Object.entries({ ...response.getHeaders(), ...told }).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : String(value),
    ]);
    done({ status: response.statusCode, headers: Object.fromEntries(headers), body: Buffer.concat(pieces) });
  });
}
