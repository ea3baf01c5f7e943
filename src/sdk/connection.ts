import { NetworkError } from './errors.js';

type TokenValue = string | null | undefined;

/** A token, or a function that returns the token for a request. The function returns null if no user is signed in. */
export type Token = string | (() => TokenValue | Promise<TokenValue>);

/** Credentials of the client: the platform token of a server, or the publishable key of a web page or app. */
export type Credentials =
  | { readonly platformToken?: Token; readonly publishableKey?: never }
  | { readonly publishableKey?: Token; readonly platformToken?: never };

export type ConnectionOptions = Credentials & {
  /** Origin of the service, such as `https://api.example.com`. */
  readonly origin: string;
  /** Token of the signed-in user. */
  readonly userToken?: Token;
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of one attempt, in milliseconds. Default: 15,000. */
  readonly timeout?: number;
  /** Maximum number of retries of a request that is safe to repeat. Default: 3. */
  readonly retries?: number;
  /**
   * Maximum delay before a retry, in milliseconds. Default: 20,000. If the service requests a longer delay, the call throws the error
   * instead of waiting.
   */
  readonly maxRetryDelay?: number;
  /** Function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
};

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds. Default: the timeout of the client. */
  readonly timeout?: number | undefined;
  /**
   * Idempotency key of a write. With a key, the service executes the write once, despite retries. Default: a random key. Null disables
   * the key and the retries.
   */
  readonly idempotencyKey?: string | null | undefined;
}

/** A request to the service, without the token headers. */
export interface ApiRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A response with its complete body as text. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const resolveToken = (token: Token | undefined): TokenValue | Promise<TokenValue> =>
  typeof token === 'function' ? token() : token;

async function tokensOf({ platformToken, publishableKey, userToken }: ConnectionOptions): Promise<Record<string, string>> {
  const [clientToken, user] = await Promise.all([resolveToken(platformToken ?? publishableKey), resolveToken(userToken)]);
  return { ...(clientToken ? { 'PB-API-TOKEN': clientToken } : {}), ...(user ? { 'PB-USER-TOKEN': user } : {}) };
}

/** Sends a request once. Resolves when the response headers arrive. */
export async function send(options: ConnectionOptions, request: ApiRequest, signal: AbortSignal): Promise<Response> {
  const { fetch: send = fetch, origin, headers } = options;
  const tokens = await tokensOf(options);
  return send(origin.replace(/\/$/, '') + request.path, {
    method: request.method,
    headers: { ...headers, ...request.headers, ...tokens },
    signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
}

/** Sends a request once and reads the response. Throws a NetworkError, or the abort reason if the signal of the call aborts. */
export async function sendAndRead(options: ConnectionOptions, request: ApiRequest, call: CallOptions): Promise<TextResponse> {
  const { signal } = call;
  signal?.throwIfAborted();
  const timeoutMs = call.timeout ?? options.timeout ?? 15_000;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(options, request, signal ? AbortSignal.any([signal, timeout]) : timeout);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new NetworkError('TIMEOUT', `no response within ${timeoutMs} ms`, error);
    throw new NetworkError('NETWORK', `${options.origin} could not be reached`, error);
  }
}
