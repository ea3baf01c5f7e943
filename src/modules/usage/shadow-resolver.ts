import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { readOutcomes } from './shadow-counter.js';
import { differencesIn, readsIn, type ShadowReadRow } from './shadow-sql.js';
import { ShadowDifference, type ShadowReads, ShadowUsage } from './shadow-values.js';
import type { UsageReport } from './usage-report.js';
import type { UsageScope } from './usage-scope-sql.js';
import { PlatformUsage } from './usage-values.js';

/** Most differences that are told. */
const mostDifferences = 200;

interface ShadowReport extends ShadowUsage {
  readonly scope: UsageScope;
}

const together = (rows: readonly ShadowReadRow[]): ShadowReads => {
  const all = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  for (const row of rows) for (const outcome of readOutcomes) all[outcome] += row[outcome];
  return all;
};

/** What of the usage the old server was asked, too. Whoever sees the usage sees it, of the same callers. */
@Resolver(() => PlatformUsage)
export class ShadowOfUsage {
  @FieldResolver(() => ShadowUsage, {
    nullable: true,
    description:
      'How the answers of these calls compare with those of the old server, which is asked a share of the reads once more; null where it was asked none of them.',
  })
  async shadow(@Root() { scope }: UsageReport, @Ctx() { sql }: Context): Promise<ShadowReport | null> {
    const rows = await readsIn(sql, scope);
    if (rows.length === 0) return null;
    return { scope, reads: together(rows), routes: rows.map(({ route, ...reads }) => ({ route, reads })) };
  }
}

@Resolver(() => ShadowUsage)
export class ShadowFields {
  @FieldResolver(() => [ShadowDifference], {
    description: `In what the answers differ, the most frequent first, at most ${mostDifferences}. Each process tells its first thousand apart.`,
  })
  differences(@Root() { scope }: ShadowReport, @Ctx() { sql }: Context): Promise<ShadowDifference[]> {
    return differencesIn(sql, scope, mostDifferences);
  }
}
