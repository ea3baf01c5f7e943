import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import type { ComparedResponse, Outcome } from './compare-responses.js';
import { decompress } from './decompress.js';

/** A request to one of the servers. */
export interface SentRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Header names and values, alternating, which preserves duplicate headers. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  /** Whether the request changes nothing. Such a request is repeated if the server has closed a reused connection. */
  readonly isRead: boolean;
}

/** A server to compare. */
export interface ComparedServer {
  readonly origin: string;
  /** Sends a request. Never rejects, because a missing response is also an outcome. */
  sendRequest(sentRequest: SentRequest): Promise<Outcome>;
  close(): void;
}

interface ConnectionLimits {
  /** Timeout for the whole response in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of a response in bytes. */
  readonly maxBytes: number;
  /** Maximum number of connections. */
  readonly connections: number;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'cannot be resolved',
  EAI_AGAIN: 'cannot be resolved',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'did not respond in time',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
};

/** Returns the reason for a missing response. System messages are not used, because they can contain addresses. */
const failureOf = (error: Error & { code?: string }): string => reasons[error.code ?? ''] ?? error.code ?? 'failed';

const interruptedOutcome = { failure: 'sent an incomplete response' } as const;
const timeoutOutcome = { failure: 'did not respond in time' } as const;

async function readOutcome(response: IncomingMessage, origin: string, maxBytes: number): Promise<Outcome> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      length += piece.length;
      if (length > maxBytes) return { failure: `responded with more than ${maxBytes} bytes` };
      pieces.push(piece);
    }
  } catch {
    return interruptedOutcome;
  }
  if (!response.complete) return interruptedOutcome;
  const body = await decompress(Buffer.concat(pieces), response.headers['content-encoding'], maxBytes);
  if (!body) return { failure: 'responded with a body that cannot be decompressed' };
  return { status: response.statusCode ?? 0, headers: response.headers, body, origin } satisfies ComparedResponse;
}

/** Returns an HTTP client for a server, and the path of its URL without a slash at the end. */
export function httpClientOf(address: string, maxSockets?: number) {
  const { origin, protocol, pathname, host } = new URL(address);
  const isSecure = protocol === 'https:';
  const options = { keepAlive: true, maxSockets };
  return {
    origin,
    host,
    basePath: pathname.replace(/\/+$/, ''),
    agent: isSecure ? new SecureAgent(options) : new Agent(options),
    startRequest: isSecure ? secureRequest : request,
  };
}

/** Returns a client for a server. The path in `address` is prepended to the paths of requests. */
export function connectServer(address: string, { timeoutMs, maxBytes, connections }: ConnectionLimits): ComparedServer {
  const { origin, host, basePath, agent, startRequest } = httpClientOf(address, connections);
  const sendOnce = ({ method, path, headers, body, isRead }: SentRequest, isRepeated: boolean): Promise<Outcome | 'retry'> =>
    new Promise((resolve) => {
      let hasTimedOut = false;
      const length = body ? ['content-length', String(body.length)] : [];
      const options: RequestOptions = { method, path: basePath + path, agent, headers: ['host', host, ...headers, ...length] };
      const clientRequest = startRequest(origin, options, (response) => {
        const outcome = readOutcome(response, origin, maxBytes);
        outcome.then((result) => {
          clearTimeout(timer);
          resolve(hasTimedOut ? timeoutOutcome : result);
          // Discards the rest of a response that is too large.
          if ('failure' in result) clientRequest.destroy();
        }, resolve);
      });
      const timer = setTimeout(() => {
        hasTimedOut = true;
        clientRequest.destroy();
        resolve(timeoutOutcome);
      }, timeoutMs);
      clientRequest.once('error', (error) => {
        clearTimeout(timer);
        // The server may have closed an idle connection before the request arrived.
        const isClosed = clientRequest.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        resolve(isClosed && isRead && !isRepeated && !hasTimedOut ? 'retry' : { failure: failureOf(error) });
      });
      clientRequest.end(body ?? undefined);
    });
  return {
    origin,
    close: () => agent.destroy(),
    async sendRequest(sentRequest) {
      try {
        const firstOutcome = await sendOnce(sentRequest, false);
        const outcome = firstOutcome === 'retry' ? await sendOnce(sentRequest, true) : firstOutcome;
        return outcome === 'retry' ? interruptedOutcome : outcome;
      } catch (error) {
        // The request is invalid, for example because a header contains a line break.
        return { failure: failureOf(error instanceof Error ? error : new Error(String(error))) };
      }
    },
  };
}

/** Returns the reason why no connection to a server can be opened, such as `refused the connection`. Null if a connection can be opened. */
export async function connectionFailure(address: string, timeoutMs: number): Promise<string | null> {
  const { protocol, hostname, port } = new URL(address);
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replace(/^\[|\]$/g, ''));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return null;
  } catch (error) {
    return error instanceof Error && error.name === 'AbortError' ? timeoutOutcome.failure : failureOf(error as Error);
  } finally {
    socket.destroy();
  }
}
