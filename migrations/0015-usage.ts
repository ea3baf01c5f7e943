import { Migration } from '@mikro-orm/migrations';
import { auditWrites, logChanges, tracked } from './shared.js';

/** Columns by which calls of the legacy interface are grouped. Calls without a platform have an empty platform ID. */
const counted = `day date not null, -- in UTC
        caller text not null,
        platform_id text not null default ''`;

/** Creates the tables of calls of the legacy interface, of comparisons with the old server, and of deprecated routes. */
export class Baseline0015Usage extends Migration {
  override up(): void {
    this.countCalls();
    this.countDifferences();
    this.createDeprecations();
  }

  /** Creates the table of call counts. Processes count in memory and periodically add their counts. */
  private countCalls(): void {
    this.addSql(`
      create table route_usage (
        ${counted},
        route text not null, -- method and path
        calls bigint not null,
        client_errors bigint not null,
        server_errors bigint not null,
        latencies bigint[] not null, -- histogram: number of calls in each latency bucket
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        primary key (day, caller, platform_id, route)
      );
      create index route_usage_platform_id_idx on route_usage (platform_id, day);
    `);
    // Pairs of routes that one caller calls within a second.
    this.addSql(`
      create table route_pair (
        ${counted},
        first_route text not null,
        second_route text not null,
        times bigint not null,
        primary key (day, caller, platform_id, first_route, second_route)
      )
    `);
    // Number of the last batch of counts of each process. It prevents double counting if a process sends a batch twice.
    this.addSql(`
      create table usage_sender (
        id uuid primary key, -- ID of the process
        batch bigint not null, -- number of the last batch
        sent_at timestamptz not null default clock_timestamp()
      )
    `);
    this.addSql(`
      create function add_latencies(bigint[], bigint[]) returns bigint[] language sql immutable parallel safe as $$
        select coalesce(array_agg(coalesce(a, 0) + coalesce(b, 0) order by bucket), '{}')
        from unnest($1, $2) with ordinality as histograms(a, b, bucket)
      $$;
      create aggregate sum_latencies(bigint[]) (sfunc = add_latencies, stype = bigint[], initcond = '{}');
    `);
  }

  /** Creates the tables of comparisons. Some read requests are also sent to the old server. */
  private countDifferences(): void {
    this.addSql(`
      create table shadow_read (
        ${counted},
        route text not null,
        same bigint not null,
        different bigint not null,
        unanswered bigint not null,
        dropped bigint not null, -- requests that were not sent, because the queue was full
        primary key (day, caller, platform_id, route)
      );
      create index shadow_read_platform_id_idx on shadow_read (platform_id, day);
    `);
    this.addSql(`
      create table shadow_difference (
        ${counted},
        route text not null,
        kind text not null, -- kind of the difference
        path text not null, -- path in the response
        times bigint not null,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        primary key (day, caller, platform_id, route, kind, path)
      );
      create index shadow_difference_platform_id_idx on shadow_difference (platform_id, day);
    `);
  }

  /** Creates the table of deprecated routes. Processes cache it like reference data. */
  private createDeprecations(): void {
    this.addSql(`
      create table deprecation (
        id text primary key,
        route text not null, -- method and path, such as GET /v1/data/teams/{uuid}
        platform_id text, -- null: all platforms without their own deprecation
        deprecated_at timestamptz not null,
        sunset_at timestamptz, -- time from which the route may be removed
        text text not null, -- message for developers
        link text,
        rehearsal_begins_at timestamptz, -- start of the rehearsal, in which the route responds with status 410
        rehearsal_minutes int not null default 60,
        ${tracked}
      );
      create index deprecation_platform_id_idx on deprecation (platform_id, id);
      create index deprecation_created_at_idx on deprecation (created_at desc nulls last, id);
      create trigger bump_cache_version after insert or update or delete or truncate on deprecation
        for each statement execute function bump_cache_version();
      ${auditWrites('deprecation', 'Deprecation', 'route', 'platformId', 'deprecatedAt', 'sunsetAt', 'text', 'link', 'rehearsalBeginsAt', 'rehearsalMinutes')};
      ${logChanges('deprecation', 'Deprecation')};
    `);
  }
}
