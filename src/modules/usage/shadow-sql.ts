import { readSql } from '../../kernel/facts.js';
import { is, type RowShaped } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { readOutcomes } from './shadow-counter.js';
import { inScope, scopeValues, type UsageScope } from './usage-scope-sql.js';

/** A moment that stands in a batch in milliseconds of Unix time. */
export const momentAt = (milliseconds: string) => `to_timestamp(c."${milliseconds}" / 1000)`;

const each = (write: (outcome: string) => string) => readOutcomes.map(write).join(', ');

/** Adds reads and differences, if the batch is fresh; parts of the statement that adds what was counted. */
export const addShadow = (fresh: string, reads: string, differences: string): string => `
  compared as (
    insert into shadow_read as s (day, caller, platform_id, route, ${each((outcome) => outcome)})
    select c.day, c.caller, c."platformId", c.route, ${each((outcome) => `c.${outcome}`)}
    from ${fresh}, jsonb_to_recordset(${reads}) as c (day date, caller text, "platformId" text, route text, ${each((outcome) => `${outcome} bigint`)})
    order by c.day, c.caller, c."platformId", c.route
    on conflict (day, caller, platform_id, route) do update set ${each((outcome) => `${outcome} = s.${outcome} + excluded.${outcome}`)}),
  differing as (
    insert into shadow_difference as d (day, caller, platform_id, route, kind, path, times, first_seen_at, last_seen_at)
    select c.day, c.caller, c."platformId", c.route, c.kind, c.path, c.times, ${momentAt('firstAt')}, ${momentAt('lastAt')}
    from ${fresh}, jsonb_to_recordset(${differences}) as c (day date, caller text, "platformId" text, route text, kind text, path text,
      times bigint, "firstAt" float8, "lastAt" float8)
    order by c.day, c.caller, c."platformId", c.route, c.kind, c.path
    on conflict (day, caller, platform_id, route, kind, path) do update set
      times = d.times + excluded.times,
      first_seen_at = least(d.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at))`;

const read = { route: is.text, same: is.number, different: is.number, unanswered: is.number, dropped: is.number };
const difference = {
  route: is.text,
  kind: is.text,
  path: is.text,
  times: is.number,
  firstSeenAt: is.text,
  lastSeenAt: is.text,
};
export type ShadowReadRow = RowShaped<typeof read>;
export type ShadowDifferenceRow = RowShaped<typeof difference>;

/** What became of the reads that the old server was asked, too, by routes: those with most differences first. */
export const readsIn = (sql: Session, scope: UsageScope): Promise<ShadowReadRow[]> =>
  sql.rows(
    readSql(
      ['shadow_read'],
      `select route, ${each((outcome) => `sum(${outcome})::float8 as ${outcome}`)} from shadow_read where ${inScope}
     group by route order by sum(different) desc, route`,
    ),
    scopeValues(scope),
    read,
  );

/** In what its answers differ, the most frequent first. */
export const differencesIn = (sql: Session, scope: UsageScope, most: number): Promise<ShadowDifferenceRow[]> =>
  sql.rows(
    readSql(
      ['shadow_difference'],
      `select route, kind, path, sum(times)::float8 as times, min(first_seen_at) as "firstSeenAt", max(last_seen_at) as "lastSeenAt"
     from shadow_difference where ${inScope} group by route, kind, path order by sum(times) desc, route, kind, path limit ${most}`,
    ),
    scopeValues(scope),
    difference,
  );
