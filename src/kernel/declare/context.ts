import type { Caller } from './policy/caller.js';

/** Services that the process provides to resolvers, other than the database. Other directories add properties by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: other directories add properties by declaration merging
export interface Services {}

/** Access to the HTTP request and response of an operation. */
export interface Client {
  readonly address: string;
  /** Public URL at which this request reached the service, such as `https://play.example`. Null without a trusted proxy. */
  readonly origin: string | null;
  /** Request ID, which the response also contains. */
  readonly requestId?: number | undefined;
  header(name: string): string | undefined;
  setResponseHeader(name: string, value: string): void;
}

/** Context of one request. The session and the loaders are added by declaration merging. */
export interface Context {
  readonly caller: Caller;
  readonly client: Client;
  readonly services: Services;
}

/** Returns the public URL of the service: the configured URL, or else the URL from a trusted proxy, or else localhost. */
export const publicUrlOf = ({ client, services: { settings } }: Pick<Context, 'client' | 'services'>): string =>
  settings.publicUrl ?? client.origin ?? `http://localhost:${settings.port}`;
