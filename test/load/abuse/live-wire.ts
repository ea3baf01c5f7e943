import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedResponse, RequestToSend } from './wire.js';

/** Data that is sent over a connection: a request and, after its response, chunks of bytes. */
export interface LiveRequest extends RequestToSend {
  readonly pieces: readonly Buffer[];
}

/** Time to wait for the response to the request, and after each chunk, in ms. */
const readTimeMs = 25;
const timeoutMs = 20_000;

/** Returns a WebSocket frame as a client sends it. Its parts may be invalid. */
export function frameOf(content: Buffer, { head = 0x81, isMasked = true, length = content.length } = {}): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const size =
    length < 126
      ? Buffer.from([mask | length])
      : length < 65_536
        ? Buffer.from([mask | 126, length >> 8, length & 255])
        : Buffer.from([mask | 127, 0, 0, 0, 0, (length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255]);
  // A mask of zeros leaves the payload unchanged.
  return Buffer.concat([Buffer.from([head]), size, Buffer.alloc(isMasked ? 4 : 0), content]);
}

/** Returns the texts of the server frames, one per line, and the close code. Server frames are never masked or fragmented. */
function textsOf(bytes: Buffer): string {
  const lines: string[] = [];
  for (let offset = 0; offset + 2 <= bytes.length; ) {
    const kind = (bytes[offset] ?? 0) & 15;
    const short = bytes[offset + 1] ?? 0;
    const size = short === 127 ? 8 : short === 126 ? 2 : 0;
    if (short > 127 || offset + 2 + size > bytes.length) break;
    const length = size === 8 ? Number(bytes.readBigUInt64BE(offset + 2)) : size === 2 ? bytes.readUInt16BE(offset + 2) : short;
    const content = bytes.subarray(offset + 2 + size, offset + 2 + size + length);
    offset += 2 + size + length;
    // The last frame may be incomplete because the client has disconnected.
    if (content.length < length) break;
    if (kind === 8) lines.push(`closed ${length ? content.readUInt16BE(0) : 1005}`);
    else if (kind === 1) lines.push(content.toString());
    else if (kind !== 9 && kind !== 10) lines.push(`broken frame of kind ${kind}`);
  }
  return lines.join('\n');
}

/** Sends the data and returns the received text: the events, or the messages of a socket. */
export async function sendLive(
  origin: string,
  { method, path, headers, body = '', pieces }: LiveRequest,
): Promise<ReceivedResponse> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(origin);
  const raw = connect(Number(port), hostname);
  let bytes = Buffer.alloc(0);
  let isOver = false;
  raw.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  raw
    .on('error', () => undefined)
    .once('close', () => {
      isOver = true;
    });
  const lines = [
    ['Host', `${hostname}:${port}`],
    ...headers,
    ...(body ? [['Content-Length', String(Buffer.byteLength(body))]] : []),
  ];
  raw.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1');
  if (body) raw.write(body);
  while (!isOver && !bytes.includes('\r\n\r\n') && performance.now() - startedAt < timeoutMs) await sleep(2);
  const took = performance.now() - startedAt;
  for (const piece of pieces) {
    if (isOver) break;
    raw.write(piece);
    await sleep(readTimeMs);
  }
  if (!isOver) await sleep(readTimeMs);
  raw.destroy();
  if (!isOver) await once(raw, 'close');
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: {}, text: 'no response', took };
  const [first = '', ...told] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const named = Object.fromEntries(told.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 2)]));
  const rest = bytes.subarray(end + 4);
  return { status, headers: named, text: status === 101 ? textsOf(rest) : rest.toString(), took };
}
