import { isDeepStrictEqual } from 'node:util';
import type { Contender } from './contenders.js';
import { cpuTime } from './cpu.js';
import { type SentRequest, sendLoad } from './generator.js';
import type { Workload } from './workloads.js';

let turns = 0;

/** Returns the requests of a workload for a contender. Peers have their own documents for the same rows. */
const requestsTo = ({ name }: Contender, { requests, peers }: Workload, caller = name): SentRequest[] =>
  (peers?.[name] ?? requests).map(({ path, body }) => ({
    path,
    ...(body !== undefined && { body: body.replaceAll('$who', caller).replaceAll('$turn', String(turns)) }),
  }));

const headersTo = ({ headers }: Contender) => ({ 'content-type': 'application/json', ...headers });

/** Sends a request of a workload. Returns the response without parts that only some GraphQL servers add, such as the cost. */
async function answer(contender: Contender, { path, body }: SentRequest): Promise<unknown> {
  const url = contender.url + path;
  const response = await fetch(url, {
    headers: headersTo(contender),
    ...(body ? { method: 'POST', body: body.replaceAll(/\$[nm]/g, '1') } : {}),
  });
  if (!response.ok) throw new Error(`${contender.name} returned ${response.status} for ${url}: ${await response.text()}`);
  const { extensions: _, ...content }: Record<string, unknown> = await response.json();
  return content;
}

/** Returns the first difference between two responses, as a path with both values. Null if they are equal. */
function difference(one: unknown, other: unknown, path = ''): string | null {
  if (isDeepStrictEqual(one, other)) return null;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other)
    return `${path || 'the response'}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const firstDifference = difference(Reflect.get(one, key), Reflect.get(other, key), `${path}.${key}`);
    if (firstDifference) return firstDifference;
  }
  return null;
}

const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** Returns all values of a response in order, without the structure, which differs between the compared servers. */
function leaves(value: unknown): unknown[] {
  if (value && typeof value === 'object') return Object.values(value).flatMap(leaves);
  return [typeof value === 'string' && isInstant.test(value) ? new Date(value).toISOString() : value];
}

/** Number of requests per workload for which the responses are compared. */
const checkedRequests = 20;

/** Throws unless all contenders return the same rows and the same fields for some requests of a workload. */
export async function checkAnswers(contenders: readonly Contender[], workload: Workload): Promise<void> {
  const step = Math.ceil(workload.requests.length / checkedRequests);
  for (let index = 0; index < workload.requests.length; index += step) {
    const requests = contenders.map((contender) => requestsTo(contender, workload, 'all')[index] ?? { path: '/' });
    const [first, ...otherResponses] = await Promise.all(
      contenders.map((contender, position) => answer(contender, requests[position] ?? { path: '/' })),
    );
    for (const [position, other] of otherResponses.entries()) {
      const isPeer = workload.peers?.[contenders[position + 1]?.name ?? ''];
      const firstDifference = isPeer ? difference(leaves(first), leaves(other)) : difference(first, other);
      if (firstDifference)
        throw new Error(`the responses to ${requests[0]?.path} ${requests[0]?.body ?? ''} differ at ${firstDifference}`);
    }
  }
}

export interface Measurement {
  /** Requests per second over all connections. */
  rate: number;
  /** CPU time per request in µs: of the server, and of PostgreSQL. NaN if the system does not report it. */
  own: number;
  postgres: number;
  /** Share of a core that the load generator used. */
  generator: number;
}

/** Runs a workload on one contender and measures it. */
export async function runTurn(
  contender: Contender,
  postmaster: number,
  workload: Workload,
  seconds: number,
): Promise<Measurement> {
  turns += 1;
  const clocks = () => [contender.pid, postmaster].map(cpuTime);
  const before = clocks();
  const {
    requests,
    seconds: took,
    failed,
    cpu,
  } = await sendLoad(
    { origin: contender.url, headers: headersTo(contender), requests: requestsTo(contender, workload) },
    seconds,
  );
  if (failed) throw new Error(`${contender.name} failed ${failed} of ${requests} requests of the workload ${workload.title}`);
  const [own = Number.NaN, postgres = Number.NaN] = clocks().map((now, index) => {
    const then = before[index];
    return now === null || then === null || then === undefined ? Number.NaN : (now - then) / requests;
  });
  return { rate: requests / took, own, postgres, generator: cpu / 1e6 / took };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns the median of each figure. */
export const medians = (turns: readonly Measurement[]): Measurement => ({
  rate: median(turns.map(({ rate }) => rate)),
  own: median(turns.map(({ own }) => own)),
  postgres: median(turns.map(({ postgres }) => postgres)),
  generator: median(turns.map((turn) => turn.generator)),
});
