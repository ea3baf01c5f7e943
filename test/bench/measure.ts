import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import type { Contender } from './contenders.js';
import type { Workload } from './workloads.js';

const headersOf = ({ headers }: Contender) => ({ 'content-type': 'application/json', ...headers });

/** What it answers, without what only a GraphQL server says of an answer, such as its cost. */
async function answer(contender: Contender, { path, body }: Workload): Promise<unknown> {
  const response = await fetch(contender.url + path, {
    headers: headersOf(contender),
    ...(body ? { method: 'POST', body: JSON.stringify(body(0)) } : {}),
  });
  if (!response.ok) throw new Error(`${contender.name} answers ${path} with ${response.status}: ${await response.text()}`);
  const { extensions: _, ...content }: Record<string, unknown> = await response.json();
  return content;
}

/** Where two answers part, as a path with both values; null when they are the same. */
function difference(one: unknown, other: unknown, path = ''): string | null {
  if (isDeepStrictEqual(one, other)) return null;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other)
    return `${path || 'the answer'}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = difference(Reflect.get(one, key), Reflect.get(other, key), `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

/** Throws unless all contenders answer with the same rows and the same fields. */
export async function checkAnswers(contenders: readonly Contender[], workload: Workload): Promise<void> {
  const [first, ...others] = await Promise.all(contenders.map((contender) => answer(contender, workload)));
  for (const other of others) {
    const found = difference(first, other);
    if (found) throw new Error(`the answers to ${workload.path} differ at ${found}`);
  }
}

let sent = 0;

/** Requests a second over 16 connections. */
export async function rate(contender: Contender, { path, body }: Workload, seconds: number): Promise<number> {
  const result = await autocannon({
    url: contender.url + path,
    connections: 16,
    duration: seconds,
    headers: headersOf(contender),
    ...(body
      ? { requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, body: JSON.stringify(body(sent++)) }) }] }
      : {}),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed) throw new Error(`${contender.name} failed ${failed} of ${result.requests.total} requests for ${path}`);
  return result['2xx'] / result.duration;
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
