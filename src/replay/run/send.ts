import { setTimeout as sleep } from 'node:timers/promises';
import { differencesOf, type Outcome } from '../comparison/compare-responses.js';
import type { ComparedServer } from '../comparison/server.js';
import type { ComparedRequest } from './findings.js';
import { GeneratedIds } from './generated-ids.js';
import type { RecordedRequest } from './recorded.js';
import type { ServerTranslator } from './server-translator.js';

/** A server, and the translator for its IDs and tokens. */
interface ReplayServer {
  readonly server: ComparedServer;
  readonly translator: ServerTranslator;
}

interface SendOptions {
  readonly oldServer: ReplayServer;
  readonly newServer: ReplayServer;
  readonly concurrency: number;
  /** Maximum number of requests per second. Null means no limit. */
  readonly maxRate: number | null;
  /** Called after each request, with the number of requests compared so far. */
  readonly onProgress: (count: number) => void;
}

const sendTo = ({ server, translator }: ReplayServer, { request, name }: RecordedRequest) =>
  server.sendRequest(translator.requestToServer(request, name));

const statusOf = (outcome: Outcome): number | null => ('failure' in outcome ? null : outcome.status);

/** Compares the responses of both servers to a request. */
const comparisonOf = (request: RecordedRequest, oldResult: Outcome, newResult: Outcome): ComparedRequest => ({
  request,
  differences: differencesOf(oldResult, newResult),
  noise: [],
  status: statusOf(oldResult) === statusOf(newResult) ? statusOf(newResult) : null,
});

/**
 * Sends a request to both servers and compares their responses. A read is sent to the old server twice, to find values that differ between
 * its own responses.
 */
async function compare(
  request: RecordedRequest,
  { oldServer, newServer }: SendOptions,
  generatedIds: GeneratedIds | null,
): Promise<ComparedRequest> {
  const { isWrite, name } = request;
  const oldOutcome = await sendTo(oldServer, request);
  const newOutcome = await sendTo(newServer, request);
  generatedIds?.addResponses(request, oldOutcome, newOutcome);
  const oldResult = oldServer.translator.responseToRecording(oldOutcome, name);
  const newResult = newServer.translator.responseToRecording(newOutcome, name);
  if (isWrite) return comparisonOf(request, oldResult, newResult);
  const secondOldResult = oldServer.translator.responseToRecording(await sendTo(oldServer, request), name);
  // The old server received the request twice. One attempt can fail or return another status, for example because of a rate limit. In this
  // case, the second response is compared if its status equals the status of the new server. Otherwise, the first response is compared.
  if ('failure' in oldResult || 'failure' in secondOldResult || oldResult.status !== secondOldResult.status) {
    const hasSameStatus =
      !('failure' in secondOldResult) && !('failure' in newResult) && secondOldResult.status === newResult.status;
    return comparisonOf(request, hasSameStatus ? secondOldResult : oldResult, newResult);
  }
  return { ...comparisonOf(request, oldResult, newResult), noise: differencesOf(oldResult, secondOldResult) };
}

/**
 * Sends all requests and returns the comparisons of their responses. A write waits for all earlier requests, and later requests wait for
 * the write.
 */
export async function sendAll(requests: readonly RecordedRequest[], options: SendOptions): Promise<ComparedRequest[]> {
  const { oldServer, newServer, maxRate, concurrency, onProgress } = options;
  const results: ComparedRequest[] = [];
  const pendingRequests = new Set<Promise<void>>();

  const generatedIds = requests.some(({ isWrite }) => isWrite)
    ? new GeneratedIds(oldServer.translator, newServer.translator)
    : null;
  const startedAt = performance.now();
  for (const [index, request] of requests.entries()) {
    if (maxRate !== null) await sleep(Math.max(0, startedAt + (index * 1000) / maxRate - performance.now()));
    if (request.isWrite || generatedIds?.mustWait(request)) await Promise.all(pendingRequests);
    while (pendingRequests.size >= concurrency) await Promise.race(pendingRequests);
    if (request.isWrite) for (const { translator } of [oldServer, newServer]) translator.firstWriteAt ??= Date.now();
    generatedIds?.addRequest(request);
    const comparison = compare(request, options, generatedIds).then((result) => {
      results.push(result);
      pendingRequests.delete(comparison);
      onProgress(results.length);
    });
    pendingRequests.add(comparison);
    if (request.isWrite) await comparison;
  }
  await Promise.all(pendingRequests);
  return results;
}
