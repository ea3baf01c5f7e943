import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { InvalidReceiver, type ReceiverPolicy, type ResolveHost, resolveReceiver } from './receiver-address.js';

/** Response of a receiver, or the reason why there is no response. */
export interface PostOutcome {
  readonly status: number | null;
  /** Error message. Null if the receiver accepted the delivery. */
  readonly error: string | null;
  /** Start of the response body. Absent if the body is empty or was not read in time. */
  readonly response?: string;
  /** Number of seconds in the Retry-After header. */
  readonly retryAfter: number | null;
}

export interface PostOptions {
  readonly policy: ReceiverPolicy;
  /** Timeout in milliseconds for the entire attempt, including DNS and the response. */
  readonly timeout?: number;
  readonly resolve?: ResolveHost;
  readonly signal?: AbortSignal;
}

/** Maximum response body size in bytes. */
const maxBytes = 64 * 1024;
/** Maximum response header size in bytes. */
const maxHeaderBytes = 16 * 1024;
/** Maximum length of the response body excerpt, in characters. */
const excerptLength = 200;

/** Maximum time in milliseconds for reading the body of a successful response. */
const bodyReadTime = 500;
/** Maximum time in milliseconds to wait for further events of the request after it has timed out or closed. */
const eventGrace = 100;

/** Messages, keyed by error code. The original messages are not used, because they can contain IP addresses. */
const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  HPE_HEADER_OVERFLOW: `the response headers exceed ${maxHeaderBytes} bytes`,
};

/** Returns a message for an error, without IP addresses. */
function messageOf(error: unknown): string {
  if (error instanceof InvalidReceiver) return `not sent: ${error.message}`;
  const { code } = error instanceof Error && 'code' in error ? error : { code: undefined };
  if (typeof code !== 'string') return 'the request failed';
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL/.test(code)) return `the TLS connection failed: ${code}`;
  return messages[code] ?? (code.startsWith('HPE_') ? 'the response is not valid HTTP' : `the request failed: ${code}`);
}

/**
 * Creates a DNS lookup function that returns only the checked addresses. A second lookup could return different addresses (DNS rebinding).
 */
const createLookup = (addresses: readonly string[]): LookupFunction => {
  const entries = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
  return (_host, { all, family }, done) => {
    const matchingEntries = entries.filter(
      (entry) => !family || `IPv${entry.family}` === String(family).replace(/^(?=\d)/, 'IPv'),
    );
    const [firstEntry] = matchingEntries;
    if (!firstEntry) done(Object.assign(new Error('no such address'), { code: 'EHOSTUNREACH' }), '');
    else if (all) done(null, matchingEntries);
    else done(null, firstEntry.address, firstEntry.family);
  };
};

/** Start of a response body that is being read. */
interface Excerpt {
  /** Resolves when enough of the body has been read, or when reading fails. */
  readonly done: Promise<void>;
  /** Returns the text read so far, as one line. */
  read(): string;
}

function startExcerpt(response: IncomingMessage): Excerpt {
  let byteCount = 0;
  let text = '';
  async function collect(): Promise<void> {
    for await (const chunk of response) {
      byteCount += chunk.length;
      if (text.length < excerptLength) text += Buffer.from(chunk).toString('utf8');
      if (byteCount >= maxBytes) break;
    }
  }
  return {
    // The outcome depends only on the status, so the body may be unreadable.
    done: collect().catch(() => undefined),
    read: () =>
      text
        .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
        .trim()
        .slice(0, excerptLength)
        // Truncation can split a surrogate pair, and PostgreSQL rejects a lone surrogate.
        .toWellFormed(),
  };
}

const responseOf = (excerpt: Excerpt): Pick<PostOutcome, 'response'> => {
  const response = excerpt.read();
  return response === '' ? {} : { response };
};

/**
 * Returns the number of seconds to wait according to a Retry-After header, which contains seconds or a date. Null if the header is missing,
 * invalid or in the past.
 */
function secondsOf(header: string | undefined): number | null {
  if (!header) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

async function outcomeOf(response: IncomingMessage): Promise<PostOutcome> {
  const { statusCode: status = 0, headers } = response;
  const excerpt = startExcerpt(response);
  if (status >= 200 && status < 300) {
    // Some receivers log an error if the connection closes before their response is complete.
    await Promise.race([excerpt.done, sleep(bodyReadTime, undefined, { ref: false })]);
    return { status, error: null, ...responseOf(excerpt), retryAfter: null };
  }
  await excerpt.done;
  const statusText = status >= 300 && status < 400 ? `${status}: redirects are not followed` : String(status);
  const { response: body } = responseOf(excerpt);
  return {
    status,
    error: `responded with ${statusText}${body ? `: ${body}` : ''}`,
    ...responseOf(excerpt),
    retryAfter: secondsOf(headers['retry-after']),
  };
}

/** Checks all IP addresses of a receiver and posts a body to it. Does not follow redirects. Never throws. */
export async function postToReceiver(
  receiverUrl: string,
  headers: Record<string, string>,
  body: string,
  options: PostOptions,
): Promise<PostOutcome> {
  const { policy, timeout = 10_000, resolve, signal } = options;
  const timeoutSignal = AbortSignal.timeout(timeout);
  const abortSignal = signal ? AbortSignal.any([timeoutSignal, signal]) : timeoutSignal;
  let openRequest: { destroy(): unknown } | undefined;
  try {
    const url = new URL(receiverUrl);
    const addresses = await resolveReceiver(url, policy, resolve);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const requestOptions: RequestOptions = {
      method: 'POST',
      // Connections are not reused, because an existing connection may lead to an unchecked address.
      agent: false,
      lookup: createLookup(addresses),
      maxHeaderSize: maxHeaderBytes,
      signal: abortSignal,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    return await new Promise<PostOutcome>((done, fail) => {
      const clientRequest = request(url, requestOptions, (response) => void outcomeOf(response).then(done, fail));
      openRequest = clientRequest;
      clientRequest.on('error', fail);
      // A protocol switch emits neither an error nor a response.
      clientRequest.on('close', () => setTimeout(fail, bodyReadTime + eventGrace, new Error('no response')).unref());
      abortSignal.addEventListener('abort', () => setTimeout(fail, eventGrace, new Error('timeout')).unref(), { once: true });
      clientRequest.end(body);
    });
  } catch (error) {
    const message = timeoutSignal.aborted ? `no response within ${timeout / 1000} s` : messageOf(error);
    return { status: null, error: message, retryAfter: null };
  } finally {
    openRequest?.destroy();
  }
}
