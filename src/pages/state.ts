import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { notReadyReason } from '../database/ready-sql.js';
import type { Graph } from '../graphql/run.js';
import { describeCache } from '../kernel/caches.js';
import { anonymousCaller, type Caller } from '../kernel/declare/policy/caller.js';
import { type Pools, Session } from '../kernel/session.js';
import { countJobs } from '../messaging/jobs-sql.js';
import { messageKinds } from '../messaging/queue-names.js';

/** Timeout of each check, in milliseconds. */
const timeout = 1_500;
/** Lifetime of a cached result, in milliseconds. The cache protects the database, because the page can be opened without a token. */
const cacheTime = 1_000;

describeCache({ name: 'status of the service on the start page', limit: 'one result', validity: '1 s' });

const count = z.object({ totalCount: z.number() });
const startDates = z.object({ nodes: z.array(z.object({ startsAt: z.string().nullable() })) });
const seasonResult = z
  .object({ all: count, playing: count, registering: count, first: startDates, last: startDates })
  .transform(({ all, playing, registering, first, last }) => ({
    tournaments: all.totalCount,
    playing: playing.totalCount,
    registering: registering.totalCount,
    from: first.nodes[0]?.startsAt ?? null,
    until: last.nodes[0]?.startsAt ?? null,
  }));

const seasonQuery = `query Season {
  all: tournaments { totalCount }
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  first: tournaments(first: 1, orderBy: [{ field: STARTS_AT }]) { nodes { startsAt } }
  last: tournaments(first: 1, orderBy: [{ field: STARTS_AT, direction: DESC }]) { nodes { startsAt } }
}`;

/** Caller with the permissions of signed-out visitors. */
const visitor: Caller = { ...anonymousCaller, key: { id: 'start-page', platformId: 'start-page' } };

/** State of the service. A value is null if its check fails or times out. */
export interface ServiceState {
  /** Reason why the database cannot serve requests. Null if the database can serve requests. */
  readonly problem: string | null;
  readonly season: z.infer<typeof seasonResult> | null;
  /** Number of unsent messages: `waiting` for an attempt, or `dead` after the last attempt has failed. */
  readonly mails: { readonly waiting: number; readonly dead: number } | null;
}

/** Returns the result of a promise, or a fallback if the promise rejects or takes more than 1.5 s. */
export const withinPageTimeout = <T>(promise: Promise<T>, fallback: T): Promise<T> =>
  Promise.race([promise.catch(() => fallback), sleep(timeout, fallback, { ref: false })]);

async function mailsOf(pools: Pools): Promise<ServiceState['mails']> {
  const counts = await countJobs(new Session(pools, 'write'));
  const sum = (rows: typeof counts) => rows.reduce((total, row) => total + row.count, 0);
  return {
    waiting: sum(counts.filter(({ queue }) => messageKinds.some((kind) => kind === queue))),
    dead: sum(counts.filter(({ state }) => state === 'dead')),
  };
}

/** Returns a function that checks the state of the service. It never rejects and takes at most 1.5 s. */
export function watchState(graph: Graph, pools: Pools): () => Promise<ServiceState> {
  let cached: Promise<ServiceState> | null = null;

  async function check(): Promise<ServiceState> {
    const [problem, season, mails] = await Promise.all([
      withinPageTimeout(notReadyReason(pools), 'the database did not respond within 1.5 s'),
      withinPageTimeout<ServiceState['season']>(
        graph
          .prepare(seasonQuery)
          .run({}, visitor)
          .then(({ data }) => seasonResult.parse(data)),
        null,
      ),
      withinPageTimeout<ServiceState['mails']>(mailsOf(pools), null),
    ]);
    setTimeout(() => {
      cached = null;
    }, cacheTime).unref();
    return { problem, season, mails };
  }

  return () => {
    cached ??= check();
    return cached;
  };
}
