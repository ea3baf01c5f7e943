import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Counter, type Registry } from 'prom-client';
import type { Caller } from '../kernel/declare/policy/caller.js';
import type { Metering } from '../kernel/metering.js';
import { RequestCounts } from './request-counts.js';

/** Symbol property of a response that holds its metrics. */
const meter = Symbol('meter');

interface RequestMetrics {
  startTime: number;
  route?: string;
  caller?: Caller;
}

type Response = ServerResponse & { [meter]?: RequestMetrics };

/** Paths of health probes, which are frequent and not counted. */
const probes = /^\/(?:health|livez|readyz)\b/;
/** Paths that Express matches without a pattern. */
const staticPaths = /^\/(?:graphql|subgraphs\/[a-z]+)(?=\/?(?:\?|$))/;

/** Maximum number of values per label. */
const maxLabelValues = { platforms: 50, clients: 50 };

const clientHeaders = ['apollographql-client-name', 'graphql-client-name', 'x-client-name'];

const routeOf = (request: IncomingMessage & { originalUrl?: string; route?: { path?: unknown } }): string =>
  typeof request.route?.path === 'string'
    ? request.route.path
    : (staticPaths.exec(request.originalUrl ?? request.url ?? '')?.[0] ?? 'other');

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts requests when their response is complete, and GraphQL operations when they start. */
export class RequestMeter implements Metering {
  readonly #requests: RequestCounts;
  readonly #operations;
  readonly #limitPlatform = limitLabelValues(maxLabelValues.platforms);
  readonly #limitClient = limitLabelValues(maxLabelValues.clients);

  constructor(registers: Registry[]) {
    this.#requests = new RequestCounts(registers);
    this.#operations = new Counter({
      name: 'courtside_operations_total',
      help: 'Number of GraphQL operations by client name and type.',
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
    this.#operations.inc({ client: this.#limitClient(name.slice(0, 60)), type });
  }

  /** Wraps a listener to count its requests when their response is complete. */
  wrapListener(listener: RequestListener): RequestListener {
    return (request, response: Response) => {
      if (!probes.test(request.url ?? '')) {
        const requestMetrics: RequestMetrics = { startTime: performance.now() };
        response[meter] = requestMetrics;
        response.once('close', () => this.#end(requestMetrics, request, response));
      }
      listener(request, response);
    };
  }

  #end({ startTime, route = '', caller }: RequestMetrics, request: IncomingMessage, response: ServerResponse): void {
    const routeLabel = route || routeOf(request);
    const method = methods.has(request.method ?? '') ? (request.method ?? '') : 'other';
    const status = response.writableFinished ? response.statusCode : 499;
    const platform = this.#platformOf(caller);
    this.#requests.add(method, routeLabel, status, platform, (performance.now() - startTime) / 1000);
  }

  #platformOf(caller: Caller | undefined): string {
    const name = caller?.platform?.name ?? caller?.key?.platformId;
    return name ? this.#limitPlatform(name.slice(0, 60)) : 'none';
  }
}

/**
 * Limits the number of label values that clients control. All values after the first `maxValues` become `other`, because each value is a
 * permanent time series.
 */
function limitLabelValues(maxValues: number): (name: string) => string {
  const knownValues = new Set<string>();
  return (name) => {
    if (knownValues.has(name)) return name;
    if (knownValues.size >= maxValues) return 'other';
    knownValues.add(name);
    return name;
  };
}
