import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Most seconds until an answer, whatever happens. */
const promised = 8;
/** After how many seconds a request counts as left without an answer. */
const patience = 20;

/** How often a write is sent again whose first request is still running, a second apart. */
const mostRunning = 10;

/** What became of the requests of a workload. */
export interface Told {
  /** Answers, refused ones included. */
  answers: number;
  /** Answers that are to be asked for again: 503 or UNAVAILABLE, with when. */
  refused: number;
  /** Requests whose connection was cut, as those of a killed process are. */
  cut: number;
  /** Writes of which nobody knew after a while what had become of their first request. */
  unknown: number;
  /** Writes that were done, and whose answer was lost. */
  answersLost: number;
  /** Seconds until the slowest answer. */
  slowest: number;
  /** Answers that nobody has promised. */
  odd: string[];
  /** Titles of tournaments whose making was acknowledged. */
  acknowledged: string[];
}

/** Writers that make tournaments, each with a key by which it is done once, and readers, until they are stopped. */
export interface Workload {
  /** What happened since the last time that this was asked for. */
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

/** What is asked of a service. */
export interface Asking {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

export const token = 'chaos-platform-token-6d1e';

/** Sends one request as the platform; null where the connection was cut. */
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

/** Whether an answer says nothing but that it is to be asked for again, and when. */
const isUnavailable = ({ status, body, retryAfter }: Asked): boolean =>
  (status === 503 && retryAfter !== null) ||
  body?.errors?.every(({ extensions }: GraphQLProblem) => extensions.code === 'UNAVAILABLE' && extensions.retryAfter) === true;

const isDone = ({ status, body }: Asked): boolean => status >= 200 && status < 300 && !body?.errors;

/** Begins the workload at the services of these origins, which may change as it goes on. */
export function beginWorkload(origins: () => readonly string[], { writers = 4, readers = 4 } = {}): Workload {
  let now = nothing();
  let isOver = false;
  let turn = 0;
  /** Asks, counts, and tells what became of it: to be tried again where it may still be done. */
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
    // The first try of a killed process: nobody knows for a minute what became of it.
    // It was done, and nobody knows the answer any more.
    if (asked.status === 409 && JSON.stringify(asked.body).includes('the answer was lost')) {
      now.answersLost++;
      return 'done';
    }
    // Its first request may still be running.
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

/** How many of the acknowledged tournaments are not there, and how many of all are there twice. */
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
