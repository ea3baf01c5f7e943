import { Migration } from '@mikro-orm/migrations';

/** The first answers of requests with an Idempotency-Key, for a day. */
export class Migration0023Retries extends Migration {
  override up(): void {
    // Hashes, and an answer that only who has the key can read.
    this.addSql(
      `create table first_answer (
         id bytea primary key,
         fingerprint bytea not null,
         run uuid not null,
         leased_until timestamptz not null,
         answer bytea,
         created_at timestamptz not null default clock_timestamp()
       )`,
    );
    this.addSql(`create index first_answer_created_at_idx on first_answer (created_at)`);
  }
}
