import { readSql, writeSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** A process's lease on an idempotency key. */
export interface Lease {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
  readonly run: string;
}

/** Duration of a lease in seconds. It is renewed while the request runs. */
export const leaseSeconds = 60;
const leaseEnd = `clock_timestamp() + interval '${leaseSeconds} seconds'`;
const expiry = `clock_timestamp() - interval '1 day'`;

/**
 * Claims a key in one statement, so that only one of several concurrent requests succeeds. Also claims expired keys, and keys
 * with an expired lease whose request had no effect.
 */
export const claimKey = async (sql: Session, { id, fingerprint, run }: Lease): Promise<boolean> =>
  (await sql.row(
    writeSql(
      ['first_answer'],
      `insert into first_answer as a (id, fingerprint, run, leased_until) values ($1, $2, $3, ${leaseEnd})
     on conflict (id) do update
       set fingerprint = excluded.fingerprint, run = excluded.run, leased_until = excluded.leased_until, answer = null, is_done = false, created_at = clock_timestamp()
       where a.created_at < ${expiry}
         or a.answer is null and not a.is_done and a.leased_until < clock_timestamp() and a.fingerprint = excluded.fingerprint
     returning true`,
    ),
    [id, fingerprint, run],
  )) !== null;

export interface StoredRequest {
  fingerprint: Buffer;
  /** Null while the first request runs, or if its response was lost. */
  answer: Buffer | null;
  /** Whether the request was committed, but its process ended before it saved the response. */
  is_lost: boolean;
}

export const findRequest = (sql: Session, id: Buffer): Promise<StoredRequest | null> =>
  sql.row(
    readSql(
      ['first_answer'],
      `select fingerprint, answer, is_done and answer is null and leased_until < clock_timestamp() as is_lost from first_answer where id = $1`,
      { otherDependency: 'clock_timestamp' },
    ),
    [id],
    { fingerprint: is.bytes, answer: is.orNull(is.bytes), is_lost: is.boolean },
  );

/** Marks the request as committed, in its own transaction. Returns false if another process holds the lease. */
export const markDone = async (sql: Session, { id, run }: Lease): Promise<boolean> =>
  (await sql.row(writeSql(['first_answer'], `update first_answer set is_done = true where id = $1 and run = $2 returning true`), [
    id,
    run,
  ])) !== null;

export const renewLease = (sql: Session, { id, run }: Lease) =>
  sql.rows(writeSql(['first_answer'], `update first_answer set leased_until = ${leaseEnd} where id = $1 and run = $2`), [
    id,
    run,
  ]);

export const saveResponse = (sql: Session, { id, run }: Lease, answer: Buffer) =>
  sql.rows(writeSql(['first_answer'], `update first_answer set answer = $3 where id = $1 and run = $2`), [id, run, answer]);

/**
 * Releases a key after a request without effect. If the request was committed after all, only ends the lease: its response is lost.
 */
export const releaseKey = (sql: Session, { id, run }: Lease) =>
  sql.rows(
    writeSql(
      ['first_answer'],
      `with gone as (delete from first_answer where id = $1 and run = $2 and not is_done)
     update first_answer set leased_until = clock_timestamp() where id = $1 and run = $2 and is_done and answer is null`,
    ),
    [id, run],
  );

/** Deletes entries that are older than a day. */
export const deleteExpired = (sql: Session) =>
  sql.rows(writeSql(['first_answer'], `delete from first_answer where created_at < ${expiry}`));
