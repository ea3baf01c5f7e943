import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { shadowReadOutcomes } from './shadow-counter.js';
import { type ShadowReadCounts, shadowDifferencesIn, shadowReadsIn } from './shadow-sql.js';
import { ShadowDifference, type ShadowReads, ShadowUsage } from './shadow-values.js';
import type { UsageReport } from './usage-report.js';
import type { UsageScope } from './usage-scope.js';
import { PlatformUsage } from './usage-values.js';

/** Maximum number of differences in a report. */
const maxDifferences = 200;

interface ShadowReport extends ShadowUsage {
  readonly scope: UsageScope;
}

const sumReads = (rows: readonly ShadowReadCounts[]): ShadowReads => {
  const totals = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  for (const row of rows) for (const outcome of shadowReadOutcomes) totals[outcome] += row[outcome];
  return totals;
};

/** Field with the shadow reads of a usage report. */
@Resolver(() => PlatformUsage)
export class ShadowUsageOfReport {
  @FieldResolver(() => ShadowUsage, {
    nullable: true,
    description:
      'Comparison of Courtside with the old server for these calls. Some of the reads are mirrored to the old server. Null if no reads were mirrored.',
  })
  async shadow(@Root() { scope }: UsageReport, @Ctx() { sql }: Context): Promise<ShadowReport | null> {
    const rows = await shadowReadsIn(sql, scope);
    if (rows.length === 0) return null;
    return { scope, reads: sumReads(rows), routes: rows.map(({ route, ...reads }) => ({ route, reads })) };
  }
}

@Resolver(() => ShadowUsage)
export class ShadowUsageFields {
  @FieldResolver(() => [ShadowDifference], {
    description: `Differences between the responses, most frequent first. At most ${maxDifferences}.`,
  })
  differences(@Root() { scope }: ShadowReport, @Ctx() { sql }: Context): Promise<ShadowDifference[]> {
    return shadowDifferencesIn(sql, scope, maxDifferences);
  }
}
