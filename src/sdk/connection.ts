import { NoAnswer } from './errors.js';

type Given = string | null | undefined;

/** A token, or what gives it anew for each request: null while nobody has signed in. */
export type Token = string | (() => Given | Promise<Given>);

/** Who asks: a server with the token of its platform, or a page or app with a publishable key of it. */
export type Asker =
  | { readonly platformToken?: Token; readonly publishableKey?: never }
  | { readonly publishableKey?: Token; readonly platformToken?: never };

export type ConnectionOptions = Asker & {
  /** Where the service is, such as `https://api.example.com`. */
  readonly origin: string;
  /** The token of a signed-in user. */
  readonly userToken?: Token;
  /** Headers of every request besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that one try may take, 15,000 unless said. */
  readonly timeout?: number;
  /** How often a request that may be sent again is sent again, 3 times unless said. */
  readonly retries?: number;
  /** Milliseconds that a retry is waited for at most, 20,000 unless said: who is told to come later than that gets the error. */
  readonly longestWait?: number;
  /** By which requests are sent, the one of the browser or of Node unless said. */
  readonly fetch?: typeof fetch;
};

/** What is said of one call. */
export interface CallOptions {
  /** Ends the call, and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one try of this call may take. */
  readonly timeout?: number | undefined;
  /** By which a write is done once, however often it is sent; one of its own is made unless said. Null sends none, and then it is not sent again. */
  readonly idempotencyKey?: string | null | undefined;
}

/** A request without tokens. */
export interface Ask {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An answer that was read to its end. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const given = (token: Token | undefined): Given | Promise<Given> => (typeof token === 'function' ? token() : token);

async function tokensOf({ platformToken, publishableKey, userToken }: ConnectionOptions): Promise<Record<string, string>> {
  const [asker, user] = await Promise.all([given(platformToken ?? publishableKey), given(userToken)]);
  return { ...(asker ? { 'PB-API-TOKEN': asker } : {}), ...(user ? { 'PB-USER-TOKEN': user } : {}) };
}

/** Sends a request once, until its answer begins. */
export async function send(options: ConnectionOptions, ask: Ask, signal: AbortSignal): Promise<Response> {
  const { fetch: send = fetch, origin, headers } = options;
  const tokens = await tokensOf(options);
  return send(origin.replace(/\/$/, '') + ask.path, {
    method: ask.method,
    headers: { ...headers, ...ask.headers, ...tokens },
    signal,
    ...(ask.body === undefined ? {} : { body: ask.body }),
  });
}

/** Sends a request once. Throws NoAnswer, or what the caller's signal was aborted with. */
export async function exchange(options: ConnectionOptions, ask: Ask, call: CallOptions): Promise<Heard> {
  const { signal } = call;
  signal?.throwIfAborted();
  const milliseconds = call.timeout ?? options.timeout ?? 15_000;
  const late = AbortSignal.timeout(milliseconds);
  try {
    const response = await send(options, ask, signal ? AbortSignal.any([signal, late]) : late);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) throw new NoAnswer('TIMEOUT', `no answer within ${milliseconds} ms`, error);
    throw new NoAnswer('NETWORK', `${options.origin} was not reached`, error);
  }
}
