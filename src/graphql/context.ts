import { actorOf } from '../kernel/audit.js';
import { clock } from '../kernel/clock.js';
import type { Client, Context, Services } from '../kernel/declare/context.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { Loaders } from '../kernel/read/relations/loaders.js';
import type { ResponseSources } from '../kernel/response-sources.js';
import { type Pools, Session } from '../kernel/session.js';
import type { ConcurrencyLimiter } from './limits/concurrency-limiter.js';
import type { ReadYourWrites } from './read-your-writes/index.js';

/** Services shared by all requests of the process. */
export interface Resources {
  readonly pools: Pools;
  readonly services: Services;
  readonly readYourWrites: ReadYourWrites;
  /** Limits how many requests use the database at once. */
  readonly databaseLimiter: ConcurrencyLimiter;
  /** Time in milliseconds after which a request cannot start another statement. */
  readonly requestTimeout: number;
}

/** Client for calls inside the process and for unknown clients. */
export const unknownClient: Client = { address: '', origin: null, header: () => undefined, setResponseHeader: () => undefined };

/**
 * Services that add no dependency to a response. They read rows only through the session of the request, or do not change while the process
 * runs.
 */
const trackedServices: ReadonlySet<string | symbol> = new Set(['authenticator', 'settings']);

/**
 * Wraps the services. If a request accesses a service with data that is not in the change log, records the service as a dependency of the
 * response.
 */
const observedServices = (services: Services, sources: ResponseSources): Services =>
  new Proxy(services, {
    get(target, name) {
      if (!trackedServices.has(name)) sources.addOtherDependency(`the service ${String(name)}`);
      return Reflect.get(target, name);
    },
  });

/** Creates the context of one request: its caller, session and loaders. In `write` mode, all reads use the primary. */
export function contextOf(resources: Resources, caller: Caller, mode: 'read' | 'write', client: Client = unknownClient): Context {
  const actor = () => actorOf(caller, client.address, 'REQUEST');
  const deadline = clock.now + resources.requestTimeout;
  const sql = new Session(resources.pools, mode, caller, { deadline, actor }, client.sources ?? null);
  sql.fence = client.fence ?? null;
  const services = client.sources ? observedServices(resources.services, client.sources) : resources.services;
  return { caller, sql, loaders: new Loaders(sql), client, services };
}
