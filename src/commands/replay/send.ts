import { setTimeout as sleep } from 'node:timers/promises';
import { differencesOf } from '../../comparison/compare-responses.js';
import type { ComparedServer } from '../../comparison/server.js';
import type { Compared } from './findings.js';
import { GeneratedIds } from './generated-ids.js';
import type { Recorded } from './recorded.js';
import type { ServerNames } from './server-names.js';

/** A server, and its names for the IDs and tokens of the recording. */
interface NamedServer {
  readonly server: ComparedServer;
  readonly names: ServerNames;
}

interface Sending {
  readonly old: NamedServer;
  readonly now: NamedServer;
  readonly concurrency: number;
  readonly rate: number | null;
  /** Called after each request, with the number of compared requests. */
  readonly done: (count: number) => void;
}

const ask = ({ server, names }: NamedServer, { sent, name }: Recorded) => server.sendRequest(names.requestToServer(sent, name));

/** Compares the responses to one request. A read is sent to the old server again afterwards, to find differences that are not due to the new server. */
async function compare(recorded: Recorded, { old, now }: Sending, generated: GeneratedIds | null): Promise<Compared> {
  const { writes, name } = recorded;
  const before = await ask(old, recorded);
  const after = await ask(now, recorded);
  generated?.addResponses(recorded, before, after);
  const [first, other] = [old.names.responseToFile(before, name), now.names.responseToFile(after, name)];
  if (writes) return { recorded, differences: differencesOf(first, other), noise: [] };
  const second = old.names.responseToFile(await ask(old, recorded), name);
  // If the old server answers with different statuses, such as under a rate limit, the response with the same status is compared. No difference is ignored.
  if ('failure' in first || 'failure' in second || first.status !== second.status) {
    const hasSameStatus = !('failure' in second) && !('failure' in other) && second.status === other.status;
    return { recorded, differences: differencesOf(hasSameStatus ? second : first, other), noise: [] };
  }
  return { recorded, differences: differencesOf(first, other), noise: differencesOf(first, second) };
}

/** Sends all requests and returns the comparisons. Writes run exclusively: they wait for earlier requests, and later requests wait for them. */
export async function sendAll(requests: readonly Recorded[], sending: Sending): Promise<Compared[]> {
  const { old, now, rate, concurrency, done } = sending;
  const compared: Compared[] = [];
  const running = new Set<Promise<void>>();

  const generated = requests.some(({ writes }) => writes) ? new GeneratedIds(old.names, now.names) : null;
  const startedAt = performance.now();
  for (const [index, recorded] of requests.entries()) {
    if (rate !== null) await sleep(Math.max(0, startedAt + (index * 1000) / rate - performance.now()));
    if (recorded.writes || generated?.mustWait(recorded)) await Promise.all(running);
    while (running.size >= concurrency) await Promise.race(running);
    if (recorded.writes) for (const { names } of [old, now]) names.writesSince ??= Date.now();
    generated?.addRequest(recorded);
    const run = compare(recorded, sending, generated).then((result) => {
      compared.push(result);
      running.delete(run);
      done(compared.length);
    });
    running.add(run);
    if (recorded.writes) await run;
  }
  await Promise.all(running);
  return compared;
}
