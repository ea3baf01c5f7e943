import type { Caller } from './policy/caller.js';

/** Services of the process that resolvers use, in addition to the database. Other directories add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: other directories merge into it
export interface Services {}

/** HTTP request and response of an operation. */
export interface Client {
  readonly address: string;
  /** Public URL at which the client reached the service, such as `https://play.example`. Null without a trusted proxy. */
  readonly origin: string | null;
  /** Number of the request, which the response also states. */
  readonly requestId?: number;
  header(name: string): string | undefined;
  /** Sets a response header. */
  setResponseHeader(name: string, value: string): void;
}

/** Context of one request. The session and the loaders are added by declaration merging. */
export interface Context {
  readonly caller: Caller;
  readonly client: Client;
  readonly services: Services;
}
