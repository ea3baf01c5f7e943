import { actorOf } from '../kernel/audit.js';
import { clock } from '../kernel/clock.js';
import type { Caller } from '../kernel/declare/caller.js';
import type { Client, Context, Services } from '../kernel/declare/context.js';
import { Loaders } from '../kernel/read/loaders.js';
import { type Pools, Session } from '../kernel/session.js';
import type { ReadYourWrites } from './read-your-writes/index.js';
import type { Room } from './room.js';

/** What lives as long as the process and every request needs. */
export interface Resources {
  readonly pools: Pools;
  readonly services: Services;
  readonly readYourWrites: ReadYourWrites;
  /** Those that are at work on the database. */
  readonly atWork: Room;
  /** How long a request may go on beginning statements, in milliseconds. */
  readonly patience: number;
}

/** A client inside the process, or one of whom nothing is known. */
export const unknownClient: Client = { address: '', origin: null, header: () => undefined, tell: () => undefined };

/** A fresh context: who asks, the statements and the loaders of one request. Mutations read from the primary from the start. */
export function contextOf(resources: Resources, caller: Caller, mode: 'read' | 'write', client: Client = unknownClient): Context {
  const actor = () => actorOf(caller, client.address, 'REQUEST');
  const until = clock.now + resources.patience;
  const sql = new Session(resources.pools, mode, caller, { until, actor }, client.reads ?? null);
  sql.fence = client.fence ?? null;
  return { caller, sql, loaders: new Loaders(sql), client, services: resources.services };
}
