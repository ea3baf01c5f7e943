import { readSql, writeSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** Who runs a request, and of which key and content. */
export interface LeasedRun {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
  readonly run: string;
}

/** How long a process has a request to itself, unless it says that it is still at it. */
export const leaseSeconds = 60;
const leased = `clock_timestamp() + interval '${leaseSeconds} seconds'`;
const old = `clock_timestamp() - interval '1 day'`;

/** Takes a request, in one statement, so that of several at the same moment one has it; also one whose process went before it did anything, or whose day is over. */
export const take = async (sql: Session, { id, fingerprint, run }: LeasedRun): Promise<boolean> =>
  (await sql.row(
    writeSql(
      ['first_answer'],
      `insert into first_answer as a (id, fingerprint, run, leased_until) values ($1, $2, $3, ${leased})
     on conflict (id) do update
       set fingerprint = excluded.fingerprint, run = excluded.run, leased_until = excluded.leased_until, answer = null, is_done = false, created_at = clock_timestamp()
       where a.created_at < ${old}
         or a.answer is null and not a.is_done and a.leased_until < clock_timestamp() and a.fingerprint = excluded.fingerprint
     returning true`,
    ),
    [id, fingerprint, run],
  )) !== null;

export interface Known {
  fingerprint: Buffer;
  /** Null while the first one runs, or where it was lost. */
  answer: Buffer | null;
  /** Whether it was done, and nobody is there any more to tell its answer. */
  is_lost: boolean;
}

export const known = (sql: Session, id: Buffer): Promise<Known | null> =>
  sql.row(
    readSql(
      ['first_answer'],
      `select fingerprint, answer, is_done and answer is null and leased_until < clock_timestamp() as is_lost from first_answer where id = $1`,
      { isVolatile: true },
    ),
    [id],
    { fingerprint: is.bytes, answer: is.orNull(is.bytes), is_lost: is.boolean },
  );

/** Says in the transaction of a request that it is done; false where another one has it by now. */
export const markDone = async (sql: Session, { id, run }: LeasedRun): Promise<boolean> =>
  (await sql.row(writeSql(['first_answer'], `update first_answer set is_done = true where id = $1 and run = $2 returning true`), [
    id,
    run,
  ])) !== null;

export const renew = (sql: Session, { id, run }: LeasedRun) =>
  sql.rows(writeSql(['first_answer'], `update first_answer set leased_until = ${leased} where id = $1 and run = $2`), [id, run]);

export const keep = (sql: Session, { id, run }: LeasedRun, answer: Buffer) =>
  sql.rows(writeSql(['first_answer'], `update first_answer set answer = $3 where id = $1 and run = $2`), [id, run, answer]);

/** Gives a request back that was not done. One whose transaction nobody knows the end of is waited for: if it was done, its answer is lost. */
export const forget = (sql: Session, { id, run }: LeasedRun) =>
  sql.rows(
    writeSql(
      ['first_answer'],
      `with gone as (delete from first_answer where id = $1 and run = $2 and not is_done)
     update first_answer set leased_until = clock_timestamp() where id = $1 and run = $2 and is_done and answer is null`,
    ),
    [id, run],
  );

/** Deletes what has been kept for a day. */
export const forgetOld = (sql: Session) =>
  sql.rows(writeSql(['first_answer'], `delete from first_answer where created_at < ${old}`));
