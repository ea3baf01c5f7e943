import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { notReady } from '../database/ready-sql.js';
import type { Graph } from '../gateway/run.js';
import { remember } from '../kernel/bounded.js';
import { type Caller, nobody } from '../kernel/declare/caller.js';
import { type Pools, Session } from '../kernel/session.js';
import { countJobs } from '../messaging/job-counts-sql.js';
import { kinds } from '../messaging/queues.js';

/** Most that the page waits for a check, and how long its answer holds: anybody may ask. */
const [patience, freshness] = [1_500, 1_000];

remember({ what: 'the state of the service, for its start page', most: 'one answer', until: '1 s' });

const count = z.object({ totalCount: z.number() });
const ends = z.object({ nodes: z.array(z.object({ startsAt: z.string().nullable() })) });
const answered = z
  .object({ all: count, playing: count, registering: count, first: ends, last: ends })
  .transform(({ all, playing, registering, first, last }) => ({
    tournaments: all.totalCount,
    playing: playing.totalCount,
    registering: registering.totalCount,
    from: first.nodes[0]?.startsAt ?? null,
    until: last.nodes[0]?.startsAt ?? null,
  }));

const season = `query Season {
  all: tournaments { totalCount }
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  first: tournaments(first: 1, orderBy: [{ field: STARTS_AT }]) { nodes { startsAt } }
  last: tournaments(first: 1, orderBy: [{ field: STARTS_AT, direction: DESC }]) { nodes { startsAt } }
}`;

/** What signed-out visitors see of the season. */
const visitor: Caller = { ...nobody, key: { id: 'start-page', platformId: 'start-page' } };

/** How the service is; what could not be found out in time is null. */
export interface ServiceState {
  /** Why requests cannot be served from the database, and null where they can. */
  readonly problem: string | null;
  readonly season: z.infer<typeof answered> | null;
  /** Messages that have not left, and those that were given up. */
  readonly mails: { readonly waiting: number; readonly dead: number } | null;
}

/** The result of some work, or a substitute if it fails or takes more than 1.5 s. */
export const withinPageTimeout = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work.catch(() => otherwise), sleep(patience, otherwise, { ref: false })]);

async function mailsOf(pools: Pools): Promise<ServiceState['mails']> {
  const counts = await countJobs(new Session(pools, 'write'));
  const sum = (of: typeof counts) => of.reduce((all, one) => all + one.count, 0);
  return {
    waiting: sum(counts.filter(({ queue }) => kinds.some((kind) => kind === queue))),
    dead: sum(counts.filter(({ state }) => state === 'dead')),
  };
}

/** Looks how the service is, by asking what it is made of. It never throws, and never takes long. */
export function watchState(graph: Graph, pools: Pools): () => Promise<ServiceState> {
  let known: Promise<ServiceState> | null = null;

  async function look(): Promise<ServiceState> {
    const [problem, found, mails] = await Promise.all([
      withinPageTimeout(notReady(pools), 'the database does not answer in time'),
      withinPageTimeout<ServiceState['season']>(
        graph
          .prepare(season)
          .run({}, visitor)
          .then(({ data }) => answered.parse(data)),
        null,
      ),
      withinPageTimeout<ServiceState['mails']>(mailsOf(pools), null),
    ]);
    setTimeout(() => {
      known = null;
    }, freshness).unref();
    return { problem, season: found, mails };
  }

  return () => {
    known ??= look();
    return known;
  };
}
