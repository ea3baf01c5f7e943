import type { IncomingMessage } from 'node:http';
import { decompress } from '../comparison/decompress.js';
import type { HarEntry, HarPair } from './har-file.js';
import type { RedactedBody, Redactor } from './redact.js';

/** Maximum size of a recorded body, in bytes. Larger bodies are forwarded but not recorded. */
const maxBodySize: number = 16 * 2 ** 20;

/** Captured body of a request or response. */
export interface CapturedBody {
  /** Returns the part of the body that has arrived. Null if the body is larger than `maxBodySize`. */
  body(): Buffer | null;
  /** Number of bytes that have arrived. */
  readonly bytes: number;
}

/** Captures the body of a request or response while it is forwarded. */
export function captureBody(message: IncomingMessage): CapturedBody {
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

/** A forwarded request and its response. */
export interface Exchange {
  readonly startedAt: Date;
  readonly upstream: string;
  readonly request: IncomingMessage;
  readonly capturedRequest: CapturedBody;
  /** Response of the server. Null if there was no response. */
  readonly response: IncomingMessage | null;
  /** Body of the response. Null if there was no complete response. */
  readonly capturedResponse: CapturedBody | null;
  /** Time in milliseconds until the start of the response, and until its end. */
  readonly waitTime: number;
  readonly duration: number;
}

const pairsOf = ({ rawHeaders }: IncomingMessage): HarPair[] =>
  rawHeaders.flatMap((name, index) => (index % 2 ? [] : [{ name, value: rawHeaders[index + 1] ?? '' }]));

const queryOf = (url: string): HarPair[] => [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));

const omittedBody: RedactedBody = { leftOut: `larger than ${maxBodySize} bytes, or not decompressible` };

async function bodyOf(message: IncomingMessage, capturedBody: CapturedBody, redactor: Redactor, route: string | null) {
  const raw = capturedBody.body();
  const body = raw && (await decompress(raw, message.headers['content-encoding'], maxBodySize));
  const redacted: RedactedBody = body ? redactor.body(body, message.headers['content-type'] ?? '', route) : omittedBody;
  return { size: body?.length ?? capturedBody.bytes, ...redacted };
}

const httpVersion = ({ httpVersion }: IncomingMessage) => `HTTP/${httpVersion}`;

/** Returns the HAR entry of an exchange, with pseudonyms instead of personal and secret values. */
export async function entryOf(exchange: Exchange, redactor: Redactor): Promise<HarEntry> {
  const { startedAt, upstream, request, capturedRequest, response, capturedResponse, waitTime, duration } = exchange;
  const { method = 'GET', url: path = '/' } = request;
  const route = redactor.route(method, path);
  // Redacts the request first, because the response can contain its secrets.
  const headers = redactor.headers(pairsOf(request));
  const url = upstream + redactor.url(path, method);
  const requestBody = await bodyOf(request, capturedRequest, redactor, route);
  const responseBody = response && capturedResponse ? await bodyOf(response, capturedResponse, redactor, route) : null;
  const mimeType = request.headers['content-type'] ?? '';
  return {
    startedDateTime: startedAt.toISOString(),
    time: duration,
    request: {
      method,
      url,
      httpVersion: httpVersion(request),
      cookies: [],
      headers,
      queryString: queryOf(url),
      ...(requestBody.text === undefined
        ? {}
        : {
            postData: {
              mimeType,
              params: [],
              text: requestBody.text,
              ...(requestBody.encoding ? { _encoding: requestBody.encoding } : {}),
            },
          }),
      headersSize: -1,
      bodySize: requestBody.size,
      ...(requestBody.leftOut ? { _leftOut: requestBody.leftOut } : {}),
    },
    response: {
      status: response?.statusCode ?? 0,
      statusText: response?.statusMessage ?? '',
      httpVersion: response ? httpVersion(response) : '',
      cookies: [],
      headers: response ? redactor.headers(pairsOf(response)) : [],
      content: {
        size: responseBody?.size ?? 0,
        mimeType: response?.headers['content-type'] ?? 'x-unknown',
        ...(responseBody?.text === undefined ? {} : { text: responseBody.text }),
        ...(responseBody?.encoding ? { encoding: responseBody.encoding } : {}),
        ...(responseBody?.leftOut ? { comment: responseBody.leftOut } : {}),
      },
      redirectURL: redactor.url(response?.headers.location ?? '', 'GET'),
      headersSize: -1,
      bodySize: capturedResponse?.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: waitTime, receive: Math.max(0, duration - waitTime) },
  };
}
