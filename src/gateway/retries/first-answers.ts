import { randomUUID } from 'node:crypto';
import type { Caller } from '../../kernel/declare/caller.js';
import { fail } from '../../kernel/declare/errors.js';
import { type Fence, type Pools, Session } from '../../kernel/session.js';
import { forget, keep, known, type LeasedRun, leaseSeconds, markDone, renew, take } from './first-answers-sql.js';
import { Later } from './later.js';
import { type FirstAnswer, type Seal, sealOf } from './seal.js';

/** Header by which a client marks a request that it may send again. */
export const retryHeader = 'idempotency-key';
/** Header of an answer that was given before. */
export const replayed: readonly [string, string] = ['Idempotent-Replayed', 'true'];

/** A request that has not been answered before and is this process's to answer; it is told what becomes of it. */
export interface First {
  /** Comes with what it does, so that this is done once although nobody may learn of it. */
  readonly fence: Fence;
  /** The answer that later ones of the key get. */
  keep(answer: FirstAnswer): Promise<void>;
  /** Nothing was done: a later one of the key runs anew. */
  forget(): Promise<void>;
}

/** Whether an answer of that status says that nothing was done, and that it is worth trying again. */
export const isWorthRetrying = (status: number): boolean => status === 401 || status === 429 || status >= 500;

/** Milliseconds. */
const again = 10_000;

/** Ten minutes. */
const mostRenewals = 30;

const stillRunning = (): never =>
  fail('STILL_RUNNING', 'the first request with this Idempotency-Key is still running', { retryAfter: 1 });

/** The first answers of requests with an Idempotency-Key, in the database, for all processes together. */
export class FirstAnswers {
  /** What could not be told to a database that was away. */
  readonly #later = new Later();

  constructor(
    readonly pools: Pools,
    readonly log: { error(details: object, message: string): void },
  ) {}

  /**
   * The answer that was given to the request, or the request to answer. STILL_RUNNING while the first one is being answered, CONFLICT where it was done
   * and its answer was lost, KEY_REUSED where the first one was another request.
   */
  async begin(key: string, caller: Caller, request: readonly (string | Buffer)[]): Promise<FirstAnswer | First> {
    const seal = sealOf(key, caller, request);
    const sql = new Session(this.pools, 'write');
    const run: LeasedRun = { ...seal, run: randomUUID() };
    for (;;) {
      const isTaken = await take(sql, run).catch((error: unknown) => {
        this.#forgetLater(sql, run);
        throw error;
      });
      if (isTaken) return this.#first(sql, run, seal);
      const found = await known(sql, seal.id);
      // Gone between the two: what had it was not worth keeping.
      if (!found) continue;
      if (!found.fingerprint.equals(seal.fingerprint))
        fail('KEY_REUSED', 'Idempotency-Key: expected a new one, this was sent with another request');
      if (found.answer) return seal.open(found.answer);
      if (found.is_lost)
        fail('CONFLICT', 'what this Idempotency-Key stands for was done, and the answer was lost: read what it made');
      stillRunning();
    }
  }

  /** A database that did not answer in time may still take the request, even after the first look at it. */
  #forgetLater(sql: Session, run: LeasedRun): void {
    const insist = () => this.#later.insist(() => forget(sql, run));
    insist();
    setTimeout(insist, again).unref();
  }

  #first(sql: Session, run: LeasedRun, seal: Seal): First {
    // What takes longer than its lease has it renewed while the process is there, but not for ever.
    let renewals = 0;
    const renewing = setInterval(
      () => {
        if (++renewals > mostRenewals) clearInterval(renewing);
        else renew(sql, run).catch(() => undefined);
      },
      (leaseSeconds / 3) * 1000,
    ).unref();
    const end = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
        clearInterval(renewing);
      } catch (error) {
        // The answer is there all the same, and leaves.
        const message = error instanceof Error ? error.message : String(error);
        this.log.error({ err: { message } }, 'an answer could not be kept for retries yet');
        this.#later.insist(() => work().then(() => clearInterval(renewing)));
      }
    };
    return {
      fence: async (within) => {
        if (!(await markDone(within, run))) stillRunning();
      },
      keep: (answer) => end(() => keep(sql, run, seal.close(answer))),
      forget: () => end(() => forget(sql, run)),
    };
  }
}
