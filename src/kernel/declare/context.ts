import type { Caller } from './caller.js';

/** What the host offers to resolvers beyond the database; each room adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: rooms merge into it
export interface Services {}

/** What the client said of itself, and what its answer tells it beside the data. */
export interface Client {
  readonly address: string;
  /** Under which address it has reached the service, such as `https://play.example`, as a trusted proxy says; null where none does. */
  readonly origin: string | null;
  /** The number of the request, as its answer has it. */
  readonly requestId?: number;
  header(name: string): string | undefined;
  /** Sets a header of the answer. */
  tell(name: string, value: string): void;
}

/** Everything that lives as long as one request; what works with the database adds itself by declaration merging. */
export interface Context {
  readonly caller: Caller;
  readonly client: Client;
  readonly services: Services;
}
