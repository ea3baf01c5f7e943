import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../../src/process/port.js';

/** A span as a collector receives it. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  isError: boolean;
}

/** A trace collector: a server that accepts traces in OTLP over HTTP. */
export interface Collector {
  endpoint: string;
  /** All received bodies with their content types. */
  received: { type: string; body: Buffer }[];
  /** Waits until a trace has at least `count` matching spans, and returns them. */
  spans(traceId: string, matches: (span: Span) => boolean, count?: number): Promise<Span[]>;
  close(): void;
}

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean; arrayValue?: unknown };

interface SentSpan {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<Span, 'attributes' | 'isError'> & {
        attributes: { key: string; value: Value }[];
        status: { code?: number };
      })[];
    }[];
  }[];
}

const spansIn = (body: Buffer): Span[] =>
  (JSON.parse(body.toString()) as SentSpan).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, status, ...span }) => ({
      ...span,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      isError: status.code === 2,
    }));

/** Starts a trace collector. `spans` can read only the JSON format of OTLP. */
export async function startCollector(): Promise<Collector> {
  const received: Collector['received'] = [];
  const server = createServer(async (request, response) => {
    received.push({ type: String(request.headers['content-type']), body: await buffer(request) });
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    received,
    async spans(traceId, matches, count = 1) {
      for (;;) {
        const spans = received.flatMap(({ body }) => spansIn(body)).filter((span) => span.traceId === traceId && matches(span));
        if (spans.length >= count) return spans;
        await sleep(20);
      }
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
