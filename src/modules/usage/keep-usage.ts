import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller } from '../../kernel/declare/caller.js';
import { type Pools, Session } from '../../kernel/session.js';
import { type CountedShadow, ShadowCounter, type ShadowFinding, type ShadowOutcome } from './shadow-counter.js';
import { type Counted, UsageCounter } from './usage-counter.js';
import { addUsage, routesCalledBy } from './usage-sql.js';

/** Between two writings, in milliseconds. */
const pause = 5000;

/** What counts the calls of this process, and writes them down now and then. */
export interface UsageKeeper {
  /** Counts an answer: of which route, to whom, with which status, when the request came and how long it took, in milliseconds. */
  count(route: string, caller: Caller | null, status: number, begun: number, milliseconds: number): void;
  /** Counts what became of a read that the old server was asked, too, and in what its answer differs. */
  countShadow(route: string, caller: Caller | null, outcome: ShadowOutcome, found: readonly ShadowFinding[]): void;
  /** Writes down what was counted so far. What cannot be written is kept and written later. */
  flush(): Promise<void>;
  /** Every route that a platform has called. */
  calledBy(platformId: string): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** What is written at once. */
interface Batch {
  readonly counted: Counted | null;
  readonly shadow: CountedShadow | null;
}

/** Counts from now on. */
export function keepUsage(pools: Pools, log: Logger): UsageKeeper {
  const counter = new UsageCounter();
  const shadowCounter = new ShadowCounter();
  const sender = randomUUID();
  let batch = 0;
  /** What has been taken, and perhaps not been written. */
  let taken: Batch | null = null;
  let isFailing = false;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    // What is left over goes first, as it was: it may have arrived.
    if (taken && !(await added(taken))) return;
    const [counted, shadow] = [counter.take(), shadowCounter.take()];
    if (!counted && !shadow) return;
    taken = { counted, shadow };
    batch += 1;
    await added(taken);
  }

  async function added({ counted, shadow }: Batch): Promise<boolean> {
    try {
      await addUsage(new Session(pools, 'write'), sender, batch, counted ?? {}, shadow ?? {});
      if (isFailing) log.info('usage is written again');
      isFailing = false;
      taken = null;
      return true;
    } catch (error) {
      if (!isFailing)
        log.warn({ reason: error instanceof Error ? error.message : '' }, 'usage cannot be written, and is kept until it can');
      isFailing = true;
      return false;
    }
  }

  const once = () => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  const flush = async () => {
    await writing;
    await once();
  };
  const timer = setInterval(once, pause).unref();
  return {
    count: counter.add.bind(counter),
    countShadow: shadowCounter.add.bind(shadowCounter),
    flush,
    calledBy: async (platformId) => {
      await flush();
      return routesCalledBy(new Session(pools, 'write'), platformId);
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
      const lost = (taken?.counted?.calls ?? 0) + (counter.take()?.calls ?? 0);
      if (lost) log.error({ calls: lost }, 'the last calls are not in the usage: the database is away');
    },
  };
}
