import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { codeOf } from '../kernel/declare/errors.js';
import type { TracedOperation, TraceHeaders, Tracing } from '../kernel/tracing.js';

/** Tracing state of a request. */
export interface TracedRequest {
  readonly span: Span;
  route?: string;
  /** Span of the running operation, if its executor cannot be wrapped. */
  operation?: Span;
}

export const requestKey = createContextKey('courtside request');

const requestOf = (active: Context): TracedRequest | undefined => active.getValue(requestKey) as TracedRequest | undefined;

/** Returns the parent context for new spans, which contains the innermost active span. Null if no span is active. */
function activeParent(): Context | null {
  const active = context.active();
  const span = trace.getSpan(active);
  if (!span) return null;
  const request = requestOf(active);
  return request?.operation && request.span === span ? trace.setSpan(active, request.operation) : active;
}

/** Marks a span as failed, with the first of the error kinds. Error messages are not exported, because they may contain values. */
export function markFailed(span: Span, kinds: readonly string[]): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', kinds[0] ?? 'unknown');
}

function errorKindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return codeOf(error) ?? ('code' in error && typeof error.code === 'string' ? error.code : error.name);
}

const operationOf = ({ operation, name }: TracedOperation): Attributes => ({
  'graphql.operation.type': operation,
  ...(name ? { 'graphql.operation.name': name.value } : {}),
});

/** Regular expressions for the first word and the first table of a statement. Both appear in the span name. */
const firstWord = /^[\s(]*(\w+)/;
const table = /\b(?:from|into|update)\s+(?!unnest|lateral|only)"?(\w+)/i;

const rowsOf = (result: unknown): number | undefined =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows)
    ? result.rows.length
    : undefined;

/** Creates the spans of a process. Work outside of a trace, such as a scheduled job, has no spans. */
export class Spans implements Tracing {
  constructor(readonly tracer: Tracer) {}

  async #withSpan<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T> | T,
    { kind = SpanKind.INTERNAL, parent = activeParent(), onResult = (_span: Span, _result: T) => {} } = {},
  ): Promise<T> {
    if (!parent) return work();
    return this.tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
      try {
        const result = await work();
        onResult(span, result);
        return result;
      } catch (error) {
        markFailed(span, [errorKindOf(error)]);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  route(pattern: string): void {
    const request = requestOf(context.active());
    if (request) request.route = pattern;
  }

  operation: Tracing['operation'] = (operation, work) => {
    requestOf(context.active())?.span.setAttributes(operationOf(operation));
    return this.#withSpan(`graphql ${operation.operation}`, operationOf(operation), work, {
      onResult: (span, { errors }) => {
        if (errors?.length)
          markFailed(
            span,
            errors.map((error) => errorKindOf(error.originalError ?? error)),
          );
      },
    });
  };

  startOperation(operation: TracedOperation): (codes: readonly string[]) => void {
    const request = requestOf(context.active());
    if (!request) return () => {};
    const attributes = operationOf(operation);
    request.span.setAttributes(attributes);
    const span = this.tracer.startSpan(`graphql ${operation.operation}`, { attributes });
    request.operation = span;
    return (codes) => {
      if (codes.length) markFailed(span, codes);
      span.end();
      delete request.operation;
    };
  }

  batch<T>(name: string, keys: number, work: () => Promise<T>): Promise<T> {
    return this.#withSpan(`load ${name}`, { 'courtside.batch.of': name, 'courtside.batch.keys': keys }, work);
  }

  statement<T>(text: string, hasValues: boolean, work: () => Promise<T>): Promise<T> {
    const operation = firstWord.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
    const collection = table.exec(text)?.[1];
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': hasValues ? text : withoutLiterals(text),
      ...(collection ? { 'db.collection.name': collection } : {}),
    };
    return this.#withSpan(collection ? `${operation} ${collection}` : operation, attributes, work, {
      kind: SpanKind.CLIENT,
      onResult: (span, result) => {
        const rows = rowsOf(result);
        if (rows !== undefined) span.setAttribute('db.response.returned_rows', rows);
      },
    });
  }

  carrier(): TraceHeaders {
    const carrier: TraceHeaders = {};
    propagation.inject(activeParent() ?? ROOT_CONTEXT, carrier);
    return carrier;
  }

  delivery<T>(kind: string, attempt: number, carrier: TraceHeaders | undefined, work: () => Promise<T>): Promise<T> {
    const parent = propagation.extract(ROOT_CONTEXT, carrier ?? {});
    const attributes = {
      'messaging.operation.name': 'send',
      'courtside.message.kind': kind,
      'courtside.message.attempt': attempt,
    };
    return this.#withSpan(`send ${kind}`, attributes, work, { kind: SpanKind.CONSUMER, parent });
  }
}

/**
 * Matches numbers, and string literals in both notations (`'…'` and `E'…'`). Also matches quoted identifiers, so that their content is
 * skipped.
 */
const literals =
  /"[^"]*(?:""[^"]*)*"|\bE'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'|'[^']*(?:''[^']*)*'|(?<![\w$])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;

/** Replaces the literals in a statement with question marks. */
export const withoutLiterals = (text: string): string =>
  text.replace(literals, (literal) => (literal.startsWith('"') ? literal : '?'));
