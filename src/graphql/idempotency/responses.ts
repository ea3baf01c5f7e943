import { randomUUID } from 'node:crypto';
import { failureFields } from '../../kernel/database-errors.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { type CommitFence, type Pools, Session } from '../../kernel/session.js';
import { createRequestCipher, type RequestCipher, type StoredResponse } from './request-cipher.js';
import {
  claimKey,
  findRequest,
  type Lease,
  leaseSeconds,
  markCommitted,
  releaseKey,
  renewLease,
  saveResponse,
} from './responses-sql.js';
import { RetryQueue } from './retry-queue.js';

/** Request header that makes a mutation safe to retry. */
export const idempotencyKeyHeader = 'idempotency-key';
/** Response header that marks a stored response. */
export const replayedHeader: readonly [string, string] = ['Idempotent-Replayed', 'true'];

/** An exclusive claim on an Idempotency-Key. */
export interface KeyClaim {
  /** Runs in the transaction of the request. Ensures that the request is committed only once, even if its response is lost. */
  readonly fence: CommitFence;
  /** Saves the response for later requests with the key. */
  save(response: StoredResponse): Promise<void>;
  /** Releases the key after a request that had no effect. A later request with the key is executed again. */
  release(): Promise<void>;
}

/** Whether a response with this status means that nothing was changed and a retry can succeed. */
export const isRetryable = (status: number): boolean => status === 401 || status === 429 || status >= 500;

/** Delay of the second attempt to release an idempotency key, in milliseconds. */
const secondReleaseMs = 10_000;

/** Maximum number of renewals of a lease, one every 20 seconds. Leases therefore expire after about ten minutes. */
const maxRenewals = 30;

const throwStillRunning = (): never =>
  fail('STILL_RUNNING', 'the first request with this Idempotency-Key is still running', { retryAfter: 1 });

/** Stores responses of requests with an Idempotency-Key in the database, for all processes. */
export class IdempotentResponses {
  /** Writes that failed because the database was unavailable, and will be retried. */
  readonly #retryQueue = new RetryQueue();

  constructor(
    readonly pools: Pools,
    readonly log: { error(details: object, message: string): void },
  ) {}

  /**
   * Claims a key, or returns the stored response. Throws STILL_RUNNING while the first request runs, and CONFLICT if it was committed but
   * its response was lost. Throws KEY_REUSED if the key was used for another request.
   */
  async claim(key: string, caller: Caller, request: readonly (string | Buffer)[]): Promise<StoredResponse | KeyClaim> {
    const cipher = createRequestCipher(key, caller, request);
    const sql = new Session(this.pools, 'write');
    const lease: Lease = { ...cipher, attemptId: randomUUID() };
    for (;;) {
      const isClaimed = await claimKey(sql, lease).catch((error: unknown) => {
        this.#releaseLater(sql, lease);
        throw error;
      });
      if (isClaimed) return this.#createClaim(sql, lease, cipher);
      const storedRequest = await findRequest(sql, cipher.id);
      // The key was released between the two statements above.
      if (!storedRequest) continue;
      if (!storedRequest.fingerprint.equals(cipher.fingerprint))
        fail('KEY_REUSED', 'Idempotency-Key: expected a new key, because this key was used for another request');
      if (storedRequest.response) return cipher.decrypt(storedRequest.response);
      if (storedRequest.is_lost)
        fail(
          'CONFLICT',
          'the request with this Idempotency-Key was completed, but its response was lost: read the changed records',
        );
      throwStillRunning();
    }
  }

  /**
   * Queues the release of a key twice: now, and after 10 seconds. If the claim timed out, the database may execute the claim after the first
   * release.
   */
  #releaseLater(sql: Session, lease: Lease): void {
    const enqueue = () => this.#retryQueue.add(() => releaseKey(sql, lease));
    enqueue();
    setTimeout(enqueue, secondReleaseMs).unref();
  }

  #createClaim(sql: Session, lease: Lease, cipher: RequestCipher): KeyClaim {
    // Long requests renew their lease.
    let renewals = 0;
    const renewalTimer = setInterval(
      () => {
        if (++renewals > maxRenewals) clearInterval(renewalTimer);
        else renewLease(sql, lease).catch(() => undefined);
      },
      (leaseSeconds / 3) * 1000,
    ).unref();
    const finish = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
        clearInterval(renewalTimer);
      } catch (error) {
        // The response is sent to the client even if it could not be saved.
        this.log.error(failureFields(error), 'the response of an idempotent request cannot be saved, will be retried');
        this.#retryQueue.add(() => work().then(() => clearInterval(renewalTimer)));
      }
    };
    return {
      fence: async (session) => {
        if (!(await markCommitted(session, lease))) throwStillRunning();
      },
      save: (response) => finish(() => saveResponse(sql, lease, cipher.encrypt(response))),
      release: () => finish(() => releaseKey(sql, lease)),
    };
  }
}
