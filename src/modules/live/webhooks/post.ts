import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http';
import { request as requestSafely } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { addressesOf, type Reach, type ResolveHost, Unreachable } from './receiver-address.js';

/** What a receiver answered, or why it did not. */
export interface PostOutcome {
  readonly status: number | null;
  /** Null where the receiver took it. */
  readonly error: string | null;
  /** In how many seconds it asks to be sent to again. */
  readonly retryAfter: number | null;
}

export interface PostOptions {
  readonly reach: Reach;
  /** Most milliseconds from the first step to the last byte that is read. */
  readonly patience?: number;
  readonly resolve?: ResolveHost;
  readonly signal?: AbortSignal;
}

/** Most bytes of an answer that are read, and of its headers. */
const mostBytes = 64 * 1024;
const mostHeaders = 16 * 1024;
/** Most characters of an answer that are kept. */
const excerpt = 200;

/** How long one listens to who has taken it, and after the end of all patience, in milliseconds. */
const politely = 500;
const grace = 100;

/** What went wrong, by the codes of errors; the words of others may quote addresses. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'no connection in time',
  HPE_HEADER_OVERFLOW: `the answer has more than ${mostHeaders} bytes of headers`,
};

/** What an error says of what happened, and nothing of where. */
function wordsOf(error: unknown): string {
  if (error instanceof Unreachable) return `not sent: ${error.message}`;
  const { code } = error instanceof Error && 'code' in error ? error : { code: undefined };
  if (typeof code !== 'string') return 'the receiver could not be asked';
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL/.test(code)) return `no safe connection: ${code}`;
  return words[code] ?? (code.startsWith('HPE_') ? 'the answer is no HTTP' : `the receiver could not be asked: ${code}`);
}

/** Hands out addresses that were looked at, whatever the name leads to by now. */
const only = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
  return (_host, { all, family }, done) => {
    const wanted = found.filter((each) => !family || `IPv${each.family}` === String(family).replace(/^(?=\d)/, 'IPv'));
    const [first] = wanted;
    if (!first) done(Object.assign(new Error('no such address'), { code: 'EHOSTUNREACH' }), '');
    else if (all) done(null, wanted);
    else done(null, first.address, first.family);
  };
};

/** The beginning of an answer as a line of text; more is not waited for than fits. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  let read = 0;
  let text = '';
  for await (const chunk of response) {
    read += chunk.length;
    if (text.length < excerpt) text += Buffer.from(chunk).toString('utf8');
    if (read >= mostBytes) break;
  }
  return text
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
    .slice(0, excerpt);
}

/** Seconds of the header, which holds them or a date. */
function secondsOf(header: string | undefined): number | null {
  if (!header) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

async function outcomeOf(response: IncomingMessage): Promise<PostOutcome> {
  const { statusCode: status = 0, headers } = response;
  // Where it cannot be read, the status says enough.
  const reading = beginningOf(response).catch(() => '');
  if (status >= 200 && status < 300) {
    // Hanging up on who is about to say more would look like a failure there.
    await Promise.race([reading, sleep(politely, undefined, { ref: false })]);
    return { status, error: null, retryAfter: null };
  }
  const answered = status >= 300 && status < 400 ? `${status}: redirects are not followed` : String(status);
  const said = await reading;
  return { status, error: `answered ${answered}${said && `: ${said}`}`, retryAfter: secondsOf(headers['retry-after']) };
}

/** Posts a body to a receiver whose every address is looked at, and over a connection to one of these. Follows nothing, and never throws. */
export async function post(
  to: string,
  headers: Record<string, string>,
  body: string,
  options: PostOptions,
): Promise<PostOutcome> {
  const { reach, patience = 10_000, resolve, signal } = options;
  const late = AbortSignal.timeout(patience);
  const end = signal ? AbortSignal.any([late, signal]) : late;
  let made: { destroy(): unknown } | undefined;
  try {
    const url = new URL(to);
    const addresses = await addressesOf(url, reach, resolve);
    const request = url.protocol === 'https:' ? requestSafely : requestPlainly;
    const given: RequestOptions = {
      method: 'POST',
      // A connection of its own: one that is kept may lead elsewhere than what was looked at.
      agent: false,
      lookup: only(addresses),
      maxHeaderSize: mostHeaders,
      signal: end,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    return await new Promise<PostOutcome>((done, failed) => {
      const asked = request(url, given, (response) => void outcomeOf(response).then(done, failed));
      made = asked;
      asked.on('error', failed);
      // Not every end is an error or an answer: a switch of protocols is none.
      asked.on('close', () => setTimeout(failed, politely + grace, new Error('no answer')).unref());
      end.addEventListener('abort', () => setTimeout(failed, grace, new Error('late')).unref(), { once: true });
      asked.end(body);
    });
  } catch (error) {
    const says = late.aborted ? `no answer within ${patience / 1000} s` : wordsOf(error);
    return { status: null, error: says, retryAfter: null };
  } finally {
    made?.destroy();
  }
}
