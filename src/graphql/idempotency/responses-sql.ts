import { sqlForReading, sqlForWriting } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** Lease that a process holds on an Idempotency-Key while it runs the request. */
export interface Lease {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
  readonly attemptId: string;
}

/** Duration of a lease in seconds. It is renewed while the request runs. */
export const leaseSeconds = 60;
const leaseEnd = `clock_timestamp() + interval '${leaseSeconds} seconds'`;
const expiry = `clock_timestamp() - interval '1 day'`;

/**
 * Claims a key in one statement, so only one of several concurrent requests succeeds. Also claims expired keys, and keys of uncommitted
 * requests that have an expired lease and the same fingerprint.
 */
export const claimKey = async (sql: Session, { id, fingerprint, attemptId }: Lease): Promise<boolean> =>
  (await sql.row(
    sqlForWriting(
      ['idempotent_response'],
      `insert into idempotent_response as stored (id, fingerprint, attempt_id, leased_until) values ($1, $2, $3, ${leaseEnd})
     on conflict (id) do update
       set fingerprint = excluded.fingerprint, attempt_id = excluded.attempt_id, leased_until = excluded.leased_until, response = null, is_committed = false, created_at = clock_timestamp()
       where stored.created_at < ${expiry}
         or stored.response is null and not stored.is_committed and stored.leased_until < clock_timestamp() and stored.fingerprint = excluded.fingerprint
     returning true`,
    ),
    [id, fingerprint, attemptId],
  )) !== null;

interface StoredRequest {
  fingerprint: Buffer;
  /** Encrypted response. Null while the first request runs, or if its response was lost. */
  response: Buffer | null;
  /** Whether the request was committed, but its process stopped before it saved the response. */
  is_lost: boolean;
}

export const findRequest = (sql: Session, id: Buffer): Promise<StoredRequest | null> =>
  sql.row(
    sqlForReading(
      ['idempotent_response'],
      `select fingerprint, response, is_committed and response is null and leased_until < clock_timestamp() as is_lost from idempotent_response where id = $1`,
      { otherDependency: 'clock_timestamp' },
    ),
    [id],
    { fingerprint: is.bytes, response: is.orNull(is.bytes), is_lost: is.boolean },
  );

/** Marks the request as committed. Must run in the transaction of the request. Returns false if another process holds the lease. */
export const markCommitted = async (sql: Session, { id, attemptId }: Lease): Promise<boolean> =>
  (await sql.row(
    sqlForWriting(
      ['idempotent_response'],
      `update idempotent_response set is_committed = true where id = $1 and attempt_id = $2 returning true`,
    ),
    [id, attemptId],
  )) !== null;

export const renewLease = (sql: Session, { id, attemptId }: Lease) =>
  sql.rows(
    sqlForWriting(
      ['idempotent_response'],
      `update idempotent_response set leased_until = ${leaseEnd} where id = $1 and attempt_id = $2`,
    ),
    [id, attemptId],
  );

export const saveResponse = (sql: Session, { id, attemptId }: Lease, response: Buffer) =>
  sql.rows(
    sqlForWriting(['idempotent_response'], `update idempotent_response set response = $3 where id = $1 and attempt_id = $2`),
    [id, attemptId, response],
  );

/**
 * Releases the key of a request that had no effect. If the request was committed but its response was not saved, keeps the key and ends
 * only the lease. Retries then fail with CONFLICT immediately.
 */
export const releaseKey = (sql: Session, { id, attemptId }: Lease) =>
  sql.rows(
    sqlForWriting(
      ['idempotent_response'],
      `with deleted as (delete from idempotent_response where id = $1 and attempt_id = $2 and not is_committed)
     update idempotent_response set leased_until = clock_timestamp() where id = $1 and attempt_id = $2 and is_committed and response is null`,
    ),
    [id, attemptId],
  );

/** Deletes stored requests that are older than a day. */
export const deleteExpired = (sql: Session) =>
  sql.rows(sqlForWriting(['idempotent_response'], `delete from idempotent_response where created_at < ${expiry}`));
