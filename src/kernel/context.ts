import type { Caller } from './caller.js';
import type { Loaders } from './loaders.js';
import type { Sql } from './sql.js';

/** What the host offers to resolvers beyond the database; each room adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: rooms merge into it
export interface Services {}

/** What the client said of itself. */
export interface Client {
  address: string;
  header(name: string): string | undefined;
}

/** Everything that lives as long as one request. */
export interface Context {
  readonly caller: Caller;
  readonly sql: Sql;
  readonly loaders: Loaders;
  readonly client: Client;
  readonly services: Services;
}
