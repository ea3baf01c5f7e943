import type { IncomingMessage } from 'node:http';
import { decoded } from '../../comparison/decoded.js';
import { type Captured, mostCaptured } from './captured.js';
import type { HarEntry, HarPair } from './har.js';
import type { Redaction, WrittenBody } from './redact.js';

/** A request and its answer, as they went through. */
export interface Exchange {
  readonly begun: Date;
  readonly upstream: string;
  readonly request: IncomingMessage;
  readonly sent: Captured;
  /** Null where there was no answer. */
  readonly response: IncomingMessage | null;
  readonly received: Captured | null;
  /** Milliseconds until the answer began, and until its end. */
  readonly waited: number;
  readonly took: number;
}

const pairsOf = ({ rawHeaders }: IncomingMessage): HarPair[] =>
  rawHeaders.flatMap((name, index) => (index % 2 ? [] : [{ name, value: rawHeaders[index + 1] ?? '' }]));

const queryOf = (url: string): HarPair[] => [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));

const tooLong: WrittenBody = { leftOut: `it is longer than ${mostCaptured} bytes, or cannot be decompressed` };

async function bodyOf(message: IncomingMessage, captured: Captured, redaction: Redaction, route: string | null) {
  const raw = captured.body();
  const body = raw && (await decoded(raw, message.headers['content-encoding'], mostCaptured));
  const written: WrittenBody = body ? redaction.body(body, message.headers['content-type'] ?? '', route) : tooLong;
  return { size: body?.length ?? captured.bytes, ...written };
}

const httpVersion = ({ httpVersion }: IncomingMessage) => `HTTP/${httpVersion}`;

/** The entry of an exchange, with nothing in it that must not be written down. */
export async function entryOf(exchange: Exchange, redaction: Redaction): Promise<HarEntry> {
  const { begun, upstream, request, sent, response, received, waited, took } = exchange;
  const { method = 'GET', url: path = '/' } = request;
  const route = redaction.route(method, path);
  // What the request names is known when the answer is read.
  const headers = redaction.headers(pairsOf(request));
  const url = upstream + redaction.url(path, method);
  const asked = await bodyOf(request, sent, redaction, route);
  const answered = response && received ? await bodyOf(response, received, redaction, route) : null;
  const mimeType = request.headers['content-type'] ?? '';
  return {
    startedDateTime: begun.toISOString(),
    time: took,
    request: {
      method,
      url,
      httpVersion: httpVersion(request),
      cookies: [],
      headers,
      queryString: queryOf(url),
      ...(asked.text === undefined
        ? {}
        : { postData: { mimeType, params: [], text: asked.text, ...(asked.encoding ? { _encoding: asked.encoding } : {}) } }),
      headersSize: -1,
      bodySize: asked.size,
      ...(asked.leftOut ? { _leftOut: asked.leftOut } : {}),
    },
    response: {
      status: response?.statusCode ?? 0,
      statusText: response?.statusMessage ?? '',
      httpVersion: response ? httpVersion(response) : '',
      cookies: [],
      headers: response ? redaction.headers(pairsOf(response)) : [],
      content: {
        size: answered?.size ?? 0,
        mimeType: response?.headers['content-type'] ?? 'x-unknown',
        ...(answered?.text === undefined ? {} : { text: answered.text }),
        ...(answered?.encoding ? { encoding: answered.encoding } : {}),
        ...(answered?.leftOut ? { comment: answered.leftOut } : {}),
      },
      redirectURL: redaction.url(response?.headers.location ?? '', 'GET'),
      headersSize: -1,
      bodySize: received?.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: waited, receive: Math.max(0, took - waited) },
  };
}
