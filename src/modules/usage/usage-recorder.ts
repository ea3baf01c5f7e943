import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { failureFields } from '../../kernel/database-errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { CountOperation } from '../../kernel/monitoring/request-facts.js';
import { type Pools, Session } from '../../kernel/session.js';
import { type CountedShadowReads, ShadowCounter, type ShadowFinding, type ShadowOutcome } from './shadow-counter.js';
import { type CountedUsage, UsageCounter } from './usage-counter.js';
import { graphRoute, graphRouteOf } from './usage-scope.js';
import { addUsage, routesCalledBy } from './usage-sql.js';

/** Interval between two writes, in milliseconds. */
const writeInterval = 5000;

/** Counts the calls of `/v1` and the graph in this process, and writes the counts to the database every five seconds. */
export interface UsageRecorder {
  /** Counts a response. `startedAt` is the start of the request, as a time from `performance.now()`. `milliseconds` is its duration. */
  count(route: string, caller: Caller | null, status: number, startedAt: number, milliseconds: number): void;
  /** Counts an operation of the graph, and each of its root fields. */
  countOperation: CountOperation;
  /** Counts the outcome of a shadow read, and the differences between both responses. */
  countShadow(route: string, caller: Caller | null, outcome: ShadowOutcome, differences: readonly ShadowFinding[]): void;
  /** Writes the counts immediately. After a failure, they are included in the next write. */
  flush(): Promise<void>;
  /** Returns the routes that a platform has called. Includes the latest counts of this process. */
  calledBy(platformId: string): Promise<ReadonlySet<string>>;
  /** Writes the counts for the last time, and stops. */
  stop(): Promise<void>;
}

/** Counts that are written together. */
interface Batch {
  readonly counted: CountedUsage | null;
  readonly shadow: CountedShadowReads | null;
}

/** Starts counting calls and writing the counts to the database. */
export function startUsageRecorder(pools: Pools, log: Logger): UsageRecorder {
  const counter = new UsageCounter();
  const shadowCounter = new ShadowCounter();
  const sender = randomUUID();
  let batch = 0;
  /** Batch that the database has not confirmed. */
  let pendingBatch: Batch | null = null;
  let isFailing = false;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    // Sends an unconfirmed batch again, unchanged. The database ignores batches that it already has.
    if (pendingBatch && !(await writeBatch(pendingBatch))) return;
    const [counted, shadow] = [counter.drain(), shadowCounter.drain()];
    if (!counted && !shadow) return;
    pendingBatch = { counted, shadow };
    batch += 1;
    await writeBatch(pendingBatch);
  }

  async function writeBatch({ counted, shadow }: Batch): Promise<boolean> {
    try {
      await addUsage(new Session(pools, 'write'), sender, batch, counted ?? {}, shadow ?? {});
      if (isFailing) log.info('usage counts can be written again');
      isFailing = false;
      pendingBatch = null;
      return true;
    } catch (error) {
      if (!isFailing) log.warn(failureFields(error), 'usage counts cannot be written, retrying');
      isFailing = true;
      return false;
    }
  }

  const writeOnce = () => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  const flush = async () => {
    await writing;
    await writeOnce();
  };
  const timer = setInterval(writeOnce, writeInterval).unref();
  return {
    count: counter.add.bind(counter),
    countOperation(operation, caller, status, startedAt) {
      const milliseconds = performance.now() - startedAt;
      counter.add(graphRoute, caller, status, startedAt, milliseconds);
      for (const field of operation?.rootFields ?? [])
        counter.add(graphRouteOf(operation?.type ?? '', field), caller, status, startedAt, milliseconds);
    },
    countShadow: shadowCounter.add.bind(shadowCounter),
    flush,
    calledBy: async (platformId) => {
      await flush();
      return routesCalledBy(new Session(pools, 'write'), platformId);
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
      const lostCalls = (pendingBatch?.counted?.calls ?? 0) + (counter.drain()?.calls ?? 0);
      if (lostCalls)
        log.error({ calls: lostCalls }, 'usage counts of the last calls are lost, because the database is unreachable');
    },
  };
}
