import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Maximum response time under any fault, in seconds. */
const maxResponseSeconds = 8;
/** Seconds after which a request counts as unanswered. */
const timeoutSeconds = 20;

/** Maximum number of retries of a write that are rejected because its first request is still running. */
const maxRetries = 10;

/** Counts of the requests of a workload. */
export interface WorkloadCounts {
  /** Number of responses, including errors. */
  answers: number;
  /** Number of responses that ask for a retry after a delay: 503 or UNAVAILABLE. */
  refused: number;
  /** Number of requests that failed because the connection broke, for example because the process was killed. */
  brokenConnections: number;
  /** Number of writes for which the result of the first request stayed unknown. */
  unknown: number;
  /** Number of writes that were committed, but for which the response was lost. */
  responsesLost: number;
  /** Time of the slowest response, in seconds. */
  slowest: number;
  /** Descriptions of the requests that violate the guarantees. */
  problems: string[];
  /** Titles of the tournaments that the service acknowledged as created. */
  acknowledged: string[];
}

/** Writers that create tournaments with idempotency keys, and readers. They run until they are stopped. */
export interface Workload {
  /** Returns the counts since the last call. */
  takeCounts(): WorkloadCounts;
  stop(): Promise<void>;
}

const emptyCounts = (): WorkloadCounts => ({
  answers: 0,
  refused: 0,
  brokenConnections: 0,
  unknown: 0,
  responsesLost: 0,
  slowest: 0,
  problems: [],
  acknowledged: [],
});

interface WorkloadResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all kinds
  body: any;
  retryAfter: number | null;
}

/** A request to a service. */
export interface WorkloadRequest {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

export const token = 'chaos-platform-token-6d1e';

/** Sends one request as the platform. Returns null if the connection broke. */
export async function sendRequest(
  origin: string,
  { path, method = 'GET', body, headers }: WorkloadRequest,
): Promise<WorkloadResponse | null> {
  try {
    const response = await fetch(origin + path, {
      method,
      headers: { 'PB-API-TOKEN': token, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, body: text ? JSON.parse(text) : null, retryAfter: retryAfter ? Number(retryAfter) : null };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Error(`${path} had no response for ${timeoutSeconds} s`);
    return null;
  }
}

const graphql = (query: string, headers?: Record<string, string>): WorkloadRequest => ({
  path: '/graphql',
  method: 'POST',
  body: { query },
  ...(headers ? { headers } : {}),
});

const reads: readonly WorkloadRequest[] = [
  { path: '/v1/data/tourney_flat_data?page_size=5' },
  { path: '/v1/data/lookup_states' },
  { path: '/v1/data/teams?page_size=5' },
  graphql('{ tournaments(first: 5) { nodes { id title } } }'),
  { path: '/livez' },
];

const writes = [
  (title: string, key: string) =>
    graphql(`mutation { createTournament(input: { title: "${title}" }) { id } }`, { 'idempotency-key': key }),
  (title: string, key: string): WorkloadRequest => ({
    path: '/v1/tournaments/tourney_flat_data',
    method: 'POST',
    body: { payload: { Title: title } },
    headers: { 'idempotency-key': key },
  }),
];

interface GraphQLProblem {
  extensions: { code: string; retryAfter?: number };
}

/** Whether all errors of a response ask for a retry after a delay. */
const isUnavailable = ({ status, body, retryAfter }: WorkloadResponse): boolean =>
  (status === 503 && retryAfter !== null) ||
  body?.errors?.every(({ extensions }: GraphQLProblem) => extensions.code === 'UNAVAILABLE' && extensions.retryAfter) === true;

const isDone = ({ status, body }: WorkloadResponse): boolean => status >= 200 && status < 300 && !body?.errors;

/** Starts the workload at the services with the given origins. The origins may change while it runs. */
export function startWorkload(origins: () => readonly string[], { writers = 4, readers = 4 } = {}): Workload {
  let now = emptyCounts();
  let isOver = false;
  let turn = 0;
  /** Sends a request and counts its result. `again` and `running` ask for a retry. */
  async function runRequest(workloadRequest: WorkloadRequest): Promise<'done' | 'again' | 'running' | 'refused'> {
    const all = origins();
    const startedAt = performance.now();
    const response = await sendRequest(all[turn++ % all.length] ?? '', workloadRequest).catch((error: Error) => {
      now.problems.push(error.message);
      return null;
    });
    if (!response) {
      now.brokenConnections++;
      await sleep(100);
      return 'again';
    }
    now.answers++;
    const took = (performance.now() - startedAt) / 1000;
    now.slowest = Math.max(now.slowest, took);
    if (took > maxResponseSeconds) now.problems.push(`${workloadRequest.path} took ${took.toFixed(1)} s`);
    if (isDone(response)) return 'done';
    // The first request committed, but its process was killed before it stored the response.
    if (response.status === 409 && JSON.stringify(response.body).includes('its response was lost')) {
      now.responsesLost++;
      return 'done';
    }
    // The first request may still be running.
    if (response.status === 409 && response.retryAfter !== null) {
      await sleep(response.retryAfter * 1000);
      return 'running';
    }
    if (isUnavailable(response)) {
      now.refused++;
      await sleep(100);
      return 'again';
    }
    now.problems.push(`${workloadRequest.path}: ${response.status} ${JSON.stringify(response.body).slice(0, 200)}`);
    return 'refused';
  }
  async function write(index: number): Promise<void> {
    const title = `Chaos ${randomUUID()}`;
    const workloadRequest = writes[index % writes.length]?.(title, randomUUID());
    if (!workloadRequest) return;
    for (let running = 0; running < maxRetries; ) {
      const outcome = await runRequest(workloadRequest);
      if (outcome === 'done') now.acknowledged.push(title);
      if (outcome === 'done' || outcome === 'refused' || (outcome === 'again' && isOver)) return;
      if (outcome === 'running') running++;
    }
    now.unknown++;
  }
  const loop = async (once: (at: number) => Promise<unknown>) => {
    for (let index = 0; !isOver; index++) {
      await once(index);
      await sleep(20);
    }
  };
  const loops = [
    ...Array.from({ length: writers }, () => loop(write)),
    ...Array.from({ length: readers }, (_, reader) =>
      loop((index) => runRequest(reads[(index + reader) % reads.length] ?? { path: '/livez' })),
    ),
  ];
  return {
    takeCounts() {
      const counts = now;
      now = emptyCounts();
      return counts;
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

/** Returns the number of acknowledged tournaments that are missing, and the number of tournaments that are stored twice. */
export async function countWrites(url: string, acknowledged: readonly string[]): Promise<{ lost: number; doubled: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select (select count(*)::int from unnest($1::text[]) sent(title) where not exists (select from tournament where tournament.title = sent.title)) as lost,
        (select count(*)::int from (select from tournament where title like 'Chaos %' group by title having count(*) > 1) twice) as doubled`,
      [acknowledged],
    );
    return rows[0];
  } finally {
    await client.end();
  }
}
