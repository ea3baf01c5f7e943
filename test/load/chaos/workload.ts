import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Maximum seconds until a response, under any fault. */
const promised = 8;
/** Seconds after which a request counts as unanswered. */
const patience = 20;

/** Number of retries of a write while its first request is still running, one second apart. */
const mostRunning = 10;

/** Counts of the requests of a workload. */
export interface Told {
  /** Responses, including errors. */
  answers: number;
  /** Responses that request a retry: 503 or UNAVAILABLE, with a delay. */
  refused: number;
  /** Requests with a broken connection, such as those of a killed process. */
  cut: number;
  /** Writes with a first request whose result stayed unknown. */
  unknown: number;
  /** Writes that were done, but lost their response. */
  answersLost: number;
  /** Seconds of the slowest response. */
  slowest: number;
  /** Responses that violate the guarantees. */
  odd: string[];
  /** Titles of tournaments with acknowledged creation. */
  acknowledged: string[];
}

/** Writers that create tournaments with idempotency keys, and readers, until they are stopped. */
export interface Workload {
  /** Counts since the last call. */
  told(): Told;
  stop(): Promise<void>;
}

const nothing = (): Told => ({
  answers: 0,
  refused: 0,
  cut: 0,
  unknown: 0,
  answersLost: 0,
  slowest: 0,
  odd: [],
  acknowledged: [],
});

interface Asked {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all kinds
  body: any;
  retryAfter: number | null;
}

/** A request to a service. */
export interface Asking {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

export const token = 'chaos-platform-token-6d1e';

/** Sends one request as the platform. Null if the connection broke. */
export async function ask(origin: string, { path, method = 'GET', body, headers }: Asking): Promise<Asked | null> {
  try {
    const response = await fetch(origin + path, {
      method,
      headers: { 'PB-API-TOKEN': token, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(patience * 1000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, body: text ? JSON.parse(text) : null, retryAfter: retryAfter ? Number(retryAfter) : null };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw new Error(`${path} had no answer for ${patience} s`);
    return null;
  }
}

const graphql = (query: string, headers?: Record<string, string>): Asking => ({
  path: '/graphql',
  method: 'POST',
  body: { query },
  ...(headers ? { headers } : {}),
});

const reads: readonly Asking[] = [
  { path: '/v1/data/tourney_flat_data?page_size=5' },
  { path: '/v1/data/lookup_states' },
  { path: '/v1/data/teams?page_size=5' },
  graphql('{ tournaments(first: 5) { nodes { id title } } }'),
  { path: '/livez' },
];

const writes = [
  (title: string, key: string) =>
    graphql(`mutation { createTournament(input: { title: "${title}" }) { id } }`, { 'idempotency-key': key }),
  (title: string, key: string): Asking => ({
    path: '/v1/tournaments/tourney_flat_data',
    method: 'POST',
    body: { payload: { Title: title } },
    headers: { 'idempotency-key': key },
  }),
];

interface GraphQLProblem {
  extensions: { code: string; retryAfter?: number };
}

/** Whether a response only requests a retry, with a delay. */
const isUnavailable = ({ status, body, retryAfter }: Asked): boolean =>
  (status === 503 && retryAfter !== null) ||
  body?.errors?.every(({ extensions }: GraphQLProblem) => extensions.code === 'UNAVAILABLE' && extensions.retryAfter) === true;

const isDone = ({ status, body }: Asked): boolean => status >= 200 && status < 300 && !body?.errors;

/** Starts the workload at the services of these origins, which may change while it runs. */
export function beginWorkload(origins: () => readonly string[], { writers = 4, readers = 4 } = {}): Workload {
  let now = nothing();
  let isOver = false;
  let turn = 0;
  /** Sends a request and counts its result. Returns whether to retry it. */
  async function tell(asking: Asking): Promise<'done' | 'again' | 'running' | 'refused'> {
    const all = origins();
    const since = performance.now();
    const asked = await ask(all[turn++ % all.length] ?? '', asking).catch((error: Error) => {
      now.odd.push(error.message);
      return null;
    });
    if (!asked) {
      now.cut++;
      await sleep(100);
      return 'again';
    }
    now.answers++;
    const took = (performance.now() - since) / 1000;
    now.slowest = Math.max(now.slowest, took);
    if (took > promised) now.odd.push(`${asking.path} took ${took.toFixed(1)} s`);
    if (isDone(asked)) return 'done';
    // The first request of a killed process stays undecided for a minute.
    if (asked.status === 409 && JSON.stringify(asked.body).includes('the answer was lost')) {
      now.answersLost++;
      return 'done';
    }
    // The first request may still be running.
    if (asked.status === 409 && asked.retryAfter !== null) {
      await sleep(asked.retryAfter * 1000);
      return 'running';
    }
    if (isUnavailable(asked)) {
      now.refused++;
      await sleep(100);
      return 'again';
    }
    now.odd.push(`${asking.path}: ${asked.status} ${JSON.stringify(asked.body).slice(0, 200)}`);
    return 'refused';
  }
  async function write(at: number): Promise<void> {
    const title = `Chaos ${randomUUID()}`;
    const asking = writes[at % writes.length]?.(title, randomUUID());
    if (!asking) return;
    for (let running = 0; running < mostRunning; ) {
      const what = await tell(asking);
      if (what === 'done') now.acknowledged.push(title);
      if (what === 'done' || what === 'refused' || (what === 'again' && isOver)) return;
      if (what === 'running') running++;
    }
    now.unknown++;
  }
  const loop = async (once: (at: number) => Promise<unknown>) => {
    for (let at = 0; !isOver; at++) {
      await once(at);
      await sleep(20);
    }
  };
  const loops = [
    ...Array.from({ length: writers }, () => loop(write)),
    ...Array.from({ length: readers }, (_, reader) =>
      loop((at) => tell(reads[(at + reader) % reads.length] ?? { path: '/livez' })),
    ),
  ];
  return {
    told() {
      const told = now;
      now = nothing();
      return told;
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

/** Number of acknowledged tournaments that are missing, and of all tournaments that are stored twice. */
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
