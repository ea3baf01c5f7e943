import type { Caller } from './caller.js';

/** What the host offers to resolvers beyond the database; each room adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: rooms merge into it
export interface Services {}

/** What the client said of itself. */
export interface Client {
  address: string;
  header(name: string): string | undefined;
}

/** Everything that lives as long as one request; what works with the database adds itself by declaration merging. */
export interface Context {
  readonly caller: Caller;
  readonly client: Client;
  readonly services: Services;
}
