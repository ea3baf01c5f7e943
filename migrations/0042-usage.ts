import { Migration } from '@mikro-orm/migrations';

/** Which routes of the legacy interface are called by whom, and which of them together: processes count in memory and add what they counted. */
export class Migration0042Usage extends Migration {
  override up(): void {
    const whose = `"day" date not null, "caller" text not null, "platform_id" text not null default ''`;
    this.addSql(
      `create table route_usage (
         ${whose},
         "route" text not null,
         "calls" bigint not null,
         "client_errors" bigint not null,
         "server_errors" bigint not null,
         "latencies" bigint[] not null,
         "first_seen_at" timestamptz not null,
         "last_seen_at" timestamptz not null,
         primary key (day, caller, platform_id, route)
       )`,
    );
    this.addSql('create index route_usage_platform_id_idx on route_usage (platform_id, day)');
    this.addSql(
      `create table route_pair (
         ${whose},
         "first_route" text not null,
         "second_route" text not null,
         "times" bigint not null,
         primary key (day, caller, platform_id, first_route, second_route)
       )`,
    );
    // The last counts that each process has added: those of which it does not know whether they arrived, it sends again.
    this.addSql(
      `create table usage_sender (
         "id" uuid primary key,
         "batch" bigint not null,
         "sent_at" timestamptz not null default clock_timestamp()
       )`,
    );
    this.addSql(
      `create function latencies_added(bigint[], bigint[]) returns bigint[] language sql immutable parallel safe as $$
         select coalesce(array_agg(coalesce(a, 0) + coalesce(b, 0) order by place), '{}')
         from unnest($1, $2) with ordinality as both_of(a, b, place)
       $$`,
    );
    this.addSql(`create aggregate latencies_sum(bigint[]) (sfunc = latencies_added, stype = bigint[], initcond = '{}')`);
  }
}
