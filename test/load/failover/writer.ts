import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { token } from '../chaos/workload.js';

/** An attempt to write. Times are values of `performance.now()`. */
export interface Write {
  readonly title: string;
  readonly sentAt: number;
  endedAt: number;
  /** `acknowledged`, or the reason for the failure: the HTTP status and the error code, or `connection lost`. */
  outcome: string;
}

export interface Writer {
  readonly writes: readonly Write[];
  stop(): Promise<void>;
}

/** Number of tournaments that the writes change in turn. */
const tournamentCount = 40;
/** One in this many writes creates a tournament. All other writes update a tournament. */
const createInterval = 10;

const idOf = (index: number): string =>
  index % createInterval === 0 ? `failover-new-${index}` : `failover-${index % tournamentCount}`;
/** Interval at which writes are sent, in milliseconds. */
const interval = 20;
const timeoutMs = 20_000;

/** Sends a constant number of writes per second to an origin, even if earlier writes have no response yet. */
export function startWriter(origin: string, rate: number): Writer {
  const writes: Write[] = [];
  const pending = new Set<Promise<void>>();
  const agent = new Agent({ keepAlive: true });
  const stopController = new AbortController();
  const url = new URL('/graphql', origin);
  const headers = { 'content-type': 'application/json', 'PB-API-TOKEN': token };

  async function send(id: string, title: string): Promise<string> {
    const query = 'mutation ($id: ID!, $title: String!) { upsertTournament(input: { id: $id, title: $title }) { version } }';
    const outgoing = request(url, { method: 'POST', headers, agent, signal: AbortSignal.timeout(timeoutMs) });
    const response = new Promise<string>((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        text(incoming).then((body) => {
          if (incoming.statusCode === 200 && body.includes('"version"') && !body.includes('"errors"')) resolve('acknowledged');
          else resolve(`${incoming.statusCode} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`.trim());
        }, reject);
      });
    });
    outgoing.end(JSON.stringify({ query, variables: { id, title } }));
    return response;
  }

  function write(): void {
    const one: Write = { title: `failover ${writes.length}`, sentAt: performance.now(), endedAt: 0, outcome: 'pending' };
    const work = send(idOf(writes.length), one.title)
      .catch((error: Error) => (error.name === 'TimeoutError' ? 'no response' : 'connection lost'))
      .then((outcome) => {
        one.outcome = outcome;
        one.endedAt = performance.now();
        pending.delete(work);
      });
    writes.push(one);
    pending.add(work);
  }

  const sending = (async () => {
    const startedAt = performance.now();
    while (!stopController.signal.aborted) {
      const due = ((performance.now() - startedAt) / 1000) * rate;
      while (writes.length < due) write();
      await sleep(interval, undefined, { signal: stopController.signal }).catch(() => undefined);
    }
  })();
  return {
    writes,
    async stop() {
      stopController.abort();
      await sending;
      await Promise.all(pending);
      agent.destroy();
    },
  };
}

/** Counts the writes that failed, by outcome. */
export const failures = (writes: readonly Write[]): string =>
  Object.entries(Object.groupBy(writes, ({ outcome }) => outcome))
    .filter(([outcome]) => outcome !== 'acknowledged')
    .map(([outcome, all]) => `${all?.length} × ${outcome}`)
    .join(', ') || 'none';
