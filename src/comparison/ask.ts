import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { GivenAnswer, Outcome } from './compare-answers.js';
import { decoded } from './decoded.js';

/** A request as one of the servers gets it. */
export interface SentRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names and values in turns, so that a doubled one stays doubled. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  /** It changes nothing, so that it may be sent once more where the connection was just closed. */
  readonly isRead: boolean;
}

/** How a server is asked. */
export interface AskedServer {
  readonly origin: string;
  /** Never fails: that there was no answer is an outcome, too. */
  ask(sent: SentRequest): Promise<Outcome>;
  close(): void;
}

interface Asking {
  /** Milliseconds for the whole answer. */
  readonly patience: number;
  /** Most bytes of an answer. */
  readonly most: number;
  /** Most connections. */
  readonly connections: number;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'is not found',
  EAI_AGAIN: 'is not found',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'did not answer in time',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
};

/** Why there was no answer, without the words of the system, in which addresses may stand. */
const failureOf = (error: Error & { code?: string }): string => reasons[error.code ?? ''] ?? error.code ?? 'failed';

const cut = { failure: 'was cut off' } as const;
const late = { failure: 'did not answer in time' } as const;

async function outcomeOf(response: IncomingMessage, origin: string, most: number): Promise<Outcome> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      length += piece.length;
      if (length > most) return { failure: `answered with more than ${most} bytes` };
      pieces.push(piece);
    }
  } catch {
    return cut;
  }
  if (!response.complete) return cut;
  const body = await decoded(Buffer.concat(pieces), response.headers['content-encoding'], most);
  if (!body) return { failure: 'answered with a body that cannot be decompressed' };
  return { status: response.statusCode ?? 0, headers: response.headers, body, origin } satisfies GivenAnswer;
}

/** A server, by its address; a path in it stands before those of the requests. */
export async function askedServer(address: string, { patience, most, connections }: Asking): Promise<AskedServer> {
  const { origin, protocol, pathname } = new URL(address);
  const isSecure = protocol === 'https:';
  const secure = isSecure ? await import('node:https') : null;
  const agent = secure
    ? new secure.Agent({ keepAlive: true, maxSockets: connections })
    : new Agent({ keepAlive: true, maxSockets: connections });
  const begin = secure ? secure.request : request;
  const base = pathname.replace(/\/+$/, '');
  const { host } = new URL(origin);
  const once = ({ method, path, headers, body, isRead }: SentRequest, isSecond: boolean): Promise<Outcome | 'again'> =>
    new Promise((resolve) => {
      let isLate = false;
      const length = body ? ['content-length', String(body.length)] : [];
      const options: RequestOptions = { method, path: base + path, agent, headers: ['host', host, ...headers, ...length] };
      const sent = begin(origin, options, (response) => {
        const outcome = outcomeOf(response, origin, most);
        outcome.then((found) => {
          clearTimeout(timer);
          resolve(isLate ? late : found);
          // What is left of an answer that is too long is not waited for.
          if ('failure' in found) sent.destroy();
        }, resolve);
      });
      const timer = setTimeout(() => {
        isLate = true;
        sent.destroy();
        resolve(late);
      }, patience);
      sent.once('error', (error) => {
        clearTimeout(timer);
        // The server may have closed the connection before it was used again, so that the request never arrived.
        const isClosed = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        resolve(isClosed && isRead && !isSecond && !isLate ? 'again' : { failure: failureOf(error) });
      });
      sent.end(body ?? undefined);
    });
  return {
    origin,
    close: () => agent.destroy(),
    async ask(sent) {
      try {
        const first = await once(sent, false);
        const outcome = first === 'again' ? await once(sent, true) : first;
        return outcome === 'again' ? cut : outcome;
      } catch (error) {
        // What no request can be made of, such as a header with a line break.
        return { failure: failureOf(error instanceof Error ? error : new Error(String(error))) };
      }
    },
  };
}
