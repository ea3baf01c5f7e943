import { setTimeout as sleep } from 'node:timers/promises';
import { differencesOf } from '../comparison/compare-responses.js';
import type { ComparedServer } from '../comparison/server.js';
import type { ComparedRequest } from './findings.js';
import { GeneratedIds } from './generated-ids.js';
import type { RecordedRequest } from './recorded.js';
import type { ServerNames } from './server-names.js';

/** A server, and its names for the IDs and tokens of the recording. */
interface NamedServer {
  readonly server: ComparedServer;
  readonly names: ServerNames;
}

interface SendOptions {
  readonly old: NamedServer;
  readonly now: NamedServer;
  readonly concurrency: number;
  readonly rate: number | null;
  /** Called after each request, with the number of compared requests. */
  readonly onProgress: (count: number) => void;
}

const sendTo = ({ server, names }: NamedServer, { request, name }: RecordedRequest) =>
  server.sendRequest(names.requestToServer(request, name));

/** Compares the responses to one request. A read is sent to the old server again afterwards, to find differences that are not due to the new server. */
async function compare(
  request: RecordedRequest,
  { old, now }: SendOptions,
  generatedIds: GeneratedIds | null,
): Promise<ComparedRequest> {
  const { writes, name } = request;
  const oldOutcome = await sendTo(old, request);
  const newOutcome = await sendTo(now, request);
  generatedIds?.addResponses(request, oldOutcome, newOutcome);
  const [oldResult, newResult] = [old.names.responseToFile(oldOutcome, name), now.names.responseToFile(newOutcome, name)];
  if (writes) return { request, differences: differencesOf(oldResult, newResult), noise: [] };
  const secondOldResult = old.names.responseToFile(await sendTo(old, request), name);
  // If the old server answers with different statuses, such as under a rate limit, the response with the same status is compared. No difference is ignored.
  if ('failure' in oldResult || 'failure' in secondOldResult || oldResult.status !== secondOldResult.status) {
    const hasSameStatus =
      !('failure' in secondOldResult) && !('failure' in newResult) && secondOldResult.status === newResult.status;
    return { request, differences: differencesOf(hasSameStatus ? secondOldResult : oldResult, newResult), noise: [] };
  }
  return { request, differences: differencesOf(oldResult, newResult), noise: differencesOf(oldResult, secondOldResult) };
}

/** Sends all requests and returns the comparisons. Writes run exclusively: they wait for earlier requests, and later requests wait for them. */
export async function sendAll(requests: readonly RecordedRequest[], options: SendOptions): Promise<ComparedRequest[]> {
  const { old, now, rate, concurrency, onProgress } = options;
  const results: ComparedRequest[] = [];
  const pendingRequests = new Set<Promise<void>>();

  const generatedIds = requests.some(({ writes }) => writes) ? new GeneratedIds(old.names, now.names) : null;
  const startedAt = performance.now();
  for (const [index, request] of requests.entries()) {
    if (rate !== null) await sleep(Math.max(0, startedAt + (index * 1000) / rate - performance.now()));
    if (request.writes || generatedIds?.mustWait(request)) await Promise.all(pendingRequests);
    while (pendingRequests.size >= concurrency) await Promise.race(pendingRequests);
    if (request.writes) for (const { names } of [old, now]) names.writesSince ??= Date.now();
    generatedIds?.addRequest(request);
    const run = compare(request, options, generatedIds).then((result) => {
      results.push(result);
      pendingRequests.delete(run);
      onProgress(results.length);
    });
    pendingRequests.add(run);
    if (request.writes) await run;
  }
  await Promise.all(pendingRequests);
  return results;
}
