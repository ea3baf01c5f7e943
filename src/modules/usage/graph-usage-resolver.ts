import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { FieldUsage, GraphUsage } from './graph-usage.js';
import { callerUsagesOf, countsPerDay, maxCallers, routesOf, totalOf, type UsageReport } from './usage-report.js';
import { graphRoute, maxReportDays, type UsageScope } from './usage-scope.js';
import { countsPerRootFieldAndDay, graphCallersOf, type RouteDayRow } from './usage-sql.js';
import { CallerUsage, PlatformUsage, UsageDay } from './usage-values.js';

/** Usage of the graph in a scope. Field resolvers derive their values from the rows. */
interface GraphReport extends Pick<GraphUsage, 'counts'> {
  readonly scope: UsageScope;
  /** Counts of all operations. */
  readonly rows: readonly RouteDayRow[];
  /** Counts per root field. */
  readonly fieldRows: readonly RouteDayRow[];
}

/** Field with the usage of the graph in a usage report. */
@Resolver(() => PlatformUsage)
export class GraphUsageOfReport {
  @FieldResolver(() => GraphUsage, { description: 'Usage of the graph by the callers that this report covers.' })
  async graph(@Root() { scope }: UsageReport, @Ctx() { sql }: Context): Promise<GraphReport> {
    const { total: rows = [], fields: fieldRows = [] } = Object.groupBy(
      await countsPerRootFieldAndDay(sql, scope),
      ({ route }) => (route === graphRoute ? 'total' : 'fields'),
    );
    return { scope, rows, fieldRows, counts: totalOf(rows) };
  }
}

@Resolver(() => GraphUsage)
export class GraphUsageFields {
  @FieldResolver(() => [UsageDay], { description: 'Operations per day, earliest first, including days without operations.' })
  @Extensions({ most: maxReportDays })
  days(@Root() report: GraphReport): UsageDay[] {
    return countsPerDay(report);
  }

  @FieldResolver(() => [FieldUsage], { description: 'Root fields of the operations, most operations first.' })
  fields(@Root() { scope, fieldRows }: GraphReport): FieldUsage[] {
    return routesOf({ scope, rows: fieldRows }).map(({ route, counts }) => {
      const [, operation = '', field = ''] = route.split(' ');
      return { operation, field, counts };
    });
  }

  @FieldResolver(() => [CallerUsage], { description: `Callers, most operations first. At most ${maxCallers}.` })
  async callers(@Root() { scope }: GraphReport, @Ctx() { sql }: Context): Promise<CallerUsage[]> {
    return callerUsagesOf(await graphCallersOf(sql, scope, maxCallers));
  }
}
