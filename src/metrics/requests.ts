import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Caller } from '../kernel/declare/caller.js';
import type { Metering } from '../kernel/metering.js';
import { boundedNames } from './bounded-names.js';

/** Where what is known of a request lies while it is answered. */
const meter = Symbol('meter');

interface Metered {
  begun: number;
  route?: string;
  caller?: Caller;
}

type Response = ServerResponse & { [meter]?: Metered };

/** Probes come every second and tell nothing. */
const probes = /^\/(?:health|livez|readyz)\b/;
/** Paths that are the same in every request. */
const fixed = /^\/(?:graphql|subgraphs\/[a-z]+)(?=\/?(?:\?|$))/;

/** How many names each label takes. */
const most = { platforms: 50, clients: 50 };

const clientHeaders = ['apollographql-client-name', 'graphql-client-name', 'x-client-name'];

const routeOf = (request: IncomingMessage & { originalUrl?: string; route?: { path?: unknown } }): string =>
  typeof request.route?.path === 'string'
    ? request.route.path
    : (fixed.exec(request.originalUrl ?? request.url ?? '')?.[0] ?? 'other');

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts requests and operations. What it keeps for each is found in one map, by all its labels. */
export class RequestMeter implements Metering {
  readonly #requests;
  readonly #durations;
  readonly #operations;
  readonly #known = new Map<string, (seconds: number) => void>();
  readonly #platform = boundedNames(most.platforms);
  readonly #client = boundedNames(most.clients);

  constructor(registers: Registry[]) {
    this.#requests = new Counter({
      name: 'courtside_requests_total',
      help: 'Requests that were answered, by the pattern of their path and the platform; `499` where the client left.',
      labelNames: ['method', 'route', 'status', 'platform'] as const,
      registers,
    });
    this.#durations = new Histogram({
      name: 'courtside_request_duration_seconds',
      help: 'Time until the last byte of an answer was handed over.',
      labelNames: ['method', 'route'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    });
    this.#operations = new Counter({
      name: 'courtside_operations_total',
      help: 'GraphQL operations that were run, by the name that the client gives itself.',
      labelNames: ['client', 'type'] as const,
      registers,
    });
  }

  route(response: Response, pattern: string): void {
    if (response[meter]) response[meter].route = pattern;
  }

  caller(response: Response, caller: Caller): void {
    if (response[meter]) response[meter].caller = caller;
  }

  operation(header: (name: string) => string | undefined, type: string): void {
    const name = clientHeaders.map(header).find((value) => value) ?? 'unnamed';
    this.#operations.inc({ client: this.#client(name.slice(0, 60)), type });
  }

  /** The same listener, whose requests are counted when their answers have left. */
  around(listener: RequestListener): RequestListener {
    return (request, response: Response) => {
      if (!probes.test(request.url ?? '')) {
        const metered: Metered = { begun: performance.now() };
        response[meter] = metered;
        response.once('close', () => this.#end(metered, request, response));
      }
      listener(request, response);
    };
  }

  #end({ begun, route = '', caller }: Metered, request: IncomingMessage, response: ServerResponse): void {
    const place = route || routeOf(request);
    const method = methods.has(request.method ?? '') ? (request.method ?? '') : 'other';
    const status = response.writableFinished ? response.statusCode : 499;
    const platform = this.#platformOf(caller);
    const key = `${method} ${place} ${status} ${platform}`;
    let count = this.#known.get(key);
    if (!count) {
      const [requests, durations] = [
        this.#requests.labels({ method, route: place, status: String(status), platform }),
        this.#durations.labels({ method, route: place }),
      ];
      count = (seconds) => {
        requests.inc();
        durations.observe(seconds);
      };
      this.#known.set(key, count);
    }
    count((performance.now() - begun) / 1000);
  }

  #platformOf(caller: Caller | undefined): string {
    const name = caller?.platform?.name ?? caller?.key?.platformId;
    return name ? this.#platform(name.slice(0, 60)) : 'none';
  }
}
