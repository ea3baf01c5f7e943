import { actorOf } from '../kernel/audit.js';
import type { Caller } from '../kernel/declare/caller.js';
import type { Client, Context, Services } from '../kernel/declare/context.js';
import { Loaders } from '../kernel/read/loaders.js';
import { type Pools, Session } from '../kernel/session.js';
import type { ReadYourWrites } from './read-your-writes/index.js';

/** What lives as long as the process and every request needs. */
export interface Resources {
  readonly pools: Pools;
  readonly services: Services;
  readonly readYourWrites: ReadYourWrites;
}

/** A client inside the process, or one of whom nothing is known. */
export const unknownClient: Client = { address: '', origin: null, header: () => undefined, tell: () => undefined };

/** A fresh context: who asks, the statements and the loaders of one request. Mutations read from the primary from the start. */
export function contextOf(resources: Resources, caller: Caller, mode: 'read' | 'write', client: Client = unknownClient): Context {
  const sql = new Session(resources.pools, mode, caller, () => actorOf(caller, client.address, 'REQUEST'));
  return { caller, sql, loaders: new Loaders(sql), client, services: resources.services };
}
