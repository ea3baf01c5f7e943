import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, platform } from '../../kernel/declare/policy/policy.js';
import { Day } from '../../kernel/declare/scalars/scalars.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { currentTimeFor } from '../../kernel/response-sources.js';
import { Platform } from '../accounts/platforms/platform.js';
import { UsageCaller } from './usage-group.js';
import {
  callerUsagesOf,
  coOccurringRoutes,
  countsPerDay,
  maxCallers,
  type RoutesTogetherSource,
  routesOf,
  type UsageReport,
  usageReport,
} from './usage-report.js';
import { canSeeAllUsage, defaultReportDays, maxReportDays, scopeOf } from './usage-scope.js';
import { callersOf } from './usage-sql.js';
import { CallerUsage, PlatformUsage, RouteReplacement, RoutesTogether, RouteUsage, UsageDay } from './usage-values.js';

@Resolver(() => PlatformUsage)
export class UsageResolver {
  @Query(() => PlatformUsage, {
    nullable: true,
    description: `Usage of the routes of \`/v1\` and of the graph: calls, callers, errors and response times. A platform sees its own calls, including those with its publishable keys. Admins see all calls, or those of one platform. At most ${maxReportDays} days.`,
  })
  @allow(platform, canSeeAllUsage)
  async platformUsage(
    @Arg('from', () => Day, {
      nullable: true,
      description: `First day, in UTC. Defaults to ${defaultReportDays - 1} days before the last day.`,
    })
    from: string | null = null,
    @Arg('to', () => Day, { nullable: true, description: 'Last day, in UTC. Defaults to today.' })
    to: string | null = null,
    @Arg('platformId', () => ID, {
      nullable: true,
      description:
        'ID of the platform whose calls are reported. Platforms can specify only their own ID. For admins, defaults to all callers.',
    })
    platformId: string | null = null,
    @Arg('caller', () => UsageCaller, {
      nullable: true,
      description: 'Kind of caller. Only admins can specify it. Defaults to all kinds.',
    })
    caller: UsageCaller | null = null,
    @Ctx() context: Context,
  ): Promise<UsageReport> {
    const { sql, services } = context;
    const scope = scopeOf(context.caller, { from, to, platformId, caller }, currentTimeFor(context.sql));
    // Writes the latest counts of this process first, so the report must be read from the primary.
    sql.usePrimary();
    await services.usage?.flush();
    return usageReport(sql, scope);
  }

  @FieldResolver(() => [UsageDay], { description: 'Calls per day, earliest first, including days without calls.' })
  @Extensions({ most: maxReportDays })
  days(@Root() report: UsageReport): UsageDay[] {
    return countsPerDay(report);
  }

  @FieldResolver(() => [RouteUsage], { description: 'Called routes, most calls first.' })
  routes(@Root() report: UsageReport): RouteUsage[] {
    return routesOf(report);
  }

  @FieldResolver(() => [CallerUsage], { description: `Callers, most calls first. At most ${maxCallers}.` })
  async callers(@Root() { scope }: UsageReport, @Ctx() { sql }: Context): Promise<CallerUsage[]> {
    return callerUsagesOf(await callersOf(sql, scope, maxCallers));
  }

  @FieldResolver(() => [RoutesTogether], {
    description: 'Co-occurring routes that one query can replace, most frequent first. At most 50.',
  })
  async together(@Root() report: UsageReport, @Ctx() { sql, services }: Context): Promise<RoutesTogether[]> {
    return coOccurringRoutes(sql, report, await services.legacyRoutes());
  }
}

@Resolver(() => RoutesTogether)
export class RoutesTogetherFields {
  @FieldResolver(() => [RouteReplacement], {
    description:
      'Queries that replace the calls, with the operations of both routes in one document. Conflicting fields get aliases, and conflicting variables are renamed. One query for each combination of conditions, at most 12.',
  })
  replacements(@Root() { query }: RoutesTogetherSource): RouteReplacement[] {
    return [...query.calls];
  }

  @FieldResolver(() => String, { description: 'Path that opens GraphiQL with the replacement query.' })
  graphiqlPath(@Root() { query }: RoutesTogetherSource): string {
    return query.graphiqlPath;
  }
}

@Resolver(() => CallerUsage)
export class CallerUsageFields {
  @FieldResolver(() => Platform, { nullable: true, description: 'Platform that made the calls. Null for other callers.' })
  platform(@Root() { platformId }: CallerUsage, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    return platformId === null ? null : loaders.loadRow(Platform, selectedColumns(Platform, info), platformId);
  }
}
