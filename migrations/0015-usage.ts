import { Migration } from '@mikro-orm/migrations';
import { auditWrites, logChanges, tracked } from './shared.js';

/** Columns by which the calls of the legacy interface are counted. Calls without a platform have an empty ID. */
const counted = `day date not null, -- in UTC
        caller text not null,
        platform_id text not null default ''`;

/** Use of the legacy interface, its comparison with the old server, and deprecations of its routes. */
export class Baseline0015Usage extends Migration {
  override up(): void {
    this.countCalls();
    this.countDifferences();
    this.createDeprecations();
  }

  /** Counts of calls. Processes count in memory and add their counts. */
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
    // Routes that one caller calls within a second.
    this.addSql(`
      create table route_pair (
        ${counted},
        first_route text not null,
        second_route text not null,
        times bigint not null,
        primary key (day, caller, platform_id, first_route, second_route)
      )
    `);
    // The last counts of each process. A process that does not know whether its counts arrived sends them again.
    this.addSql(`
      create table usage_sender (
        id uuid primary key, -- of the process
        batch bigint not null, -- number of the last counts
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

  /** Results of reads that were also sent to the old server. */
  private countDifferences(): void {
    this.addSql(`
      create table shadow_read (
        ${counted},
        route text not null,
        same bigint not null,
        different bigint not null,
        unanswered bigint not null,
        dropped bigint not null, -- not sent, because too many were waiting
        primary key (day, caller, platform_id, route)
      );
      create index shadow_read_platform_id_idx on shadow_read (platform_id, day);
    `);
    this.addSql(`
      create table shadow_difference (
        ${counted},
        route text not null,
        kind text not null, -- of the difference
        path text not null, -- in the response
        times bigint not null,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        primary key (day, caller, platform_id, route, kind, path)
      );
      create index shadow_difference_platform_id_idx on shadow_difference (platform_id, day);
    `);
  }

  /** Routes that will be removed. Processes cache them like reference data. */
  private createDeprecations(): void {
    this.addSql(`
      create table deprecation (
        id text primary key,
        route text not null, -- method and path, such as GET /v1/data/teams/{uuid}
        platform_id text, -- null: all platforms without a deprecation of their own
        deprecated_at timestamptz not null,
        sunset_at timestamptz, -- when the route may be removed
        text text not null, -- message for developers
        link text,
        rehearsal_begins_at timestamptz, -- from then on, the route responds with status 410
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
