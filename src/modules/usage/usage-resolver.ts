import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, platform } from '../../kernel/declare/policy.js';
import { Day } from '../../kernel/declare/scalars.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { timeFor } from '../../kernel/reads.js';
import { Platform } from '../accounts/platform.js';
import { UsageCaller } from './usage-caller.js';
import {
  burnDown,
  figuresOf,
  type KnownRoutesTogether,
  routesOf,
  togetherIn,
  type UsageReport,
  usageReport,
} from './usage-report.js';
import { mostDays, scopeOf, seesAll, usualDays } from './usage-scope.js';
import { callersOf } from './usage-sql.js';
import { CallerUsage, PlatformUsage, RouteReplacement, RoutesTogether, RouteUsage, UsageDay } from './usage-values.js';

/** Most callers that are told. */
const mostCallers = 100;

@Resolver(() => PlatformUsage)
export class UsageResolver {
  @Query(() => PlatformUsage, {
    nullable: true,
    description: `Which routes of \`/v1\` were called how often, by whom, with how many errors and how fast. A platform sees its own calls, those with its publishable keys among them; admins see all, or those of one platform. At most ${mostDays} days.`,
  })
  @allow(platform, seesAll)
  async platformUsage(
    @Arg('from', () => Day, {
      nullable: true,
      description: `The first day, in UTC; without it, ${usualDays - 1} days before the last.`,
    })
    from: string | null = null,
    @Arg('to', () => Day, { nullable: true, description: 'The last day, in UTC; today without it.' })
    to: string | null = null,
    @Arg('platformId', () => ID, {
      nullable: true,
      description: 'Only calls of this platform; for admins, and platforms of their own.',
    })
    platformId: string | null = null,
    @Arg('caller', () => UsageCaller, { nullable: true, description: 'Only calls of callers of this kind; for admins.' })
    caller: UsageCaller | null = null,
    @Ctx() context: Context,
  ): Promise<UsageReport> {
    const { sql, services } = context;
    const scope = scopeOf(context.caller, { from, to, platformId, caller }, timeFor(context.sql));
    // What this process has counted is told at once, and therefore by the primary.
    sql.writes();
    await services.usage?.flush();
    return usageReport(sql, scope);
  }

  @FieldResolver(() => [UsageDay], { description: 'The calls of each day, the earliest first: how they burn down to zero.' })
  @Extensions({ most: mostDays })
  days(@Root() report: UsageReport): UsageDay[] {
    return burnDown(report);
  }

  @FieldResolver(() => [RouteUsage], { description: 'The routes that were called, the most called first.' })
  routes(@Root() report: UsageReport): RouteUsage[] {
    return routesOf(report);
  }

  @FieldResolver(() => [CallerUsage], { description: `Who called, the most calls first, at most ${mostCallers}.` })
  async callers(@Root() { scope }: UsageReport, @Ctx() { sql }: Context): Promise<CallerUsage[]> {
    const rows = await callersOf(sql, scope, mostCallers);
    return rows.map(({ caller, platformId, routes, ...counts }) => ({
      caller,
      platformId: platformId || null,
      routes,
      counts: figuresOf(counts),
    }));
  }

  @FieldResolver(() => [RoutesTogether], {
    description: 'Routes that were called together, the most frequent first, at most 50.',
  })
  async together(@Root() report: UsageReport, @Ctx() { sql, services }: Context): Promise<RoutesTogether[]> {
    return togetherIn(sql, report, await services.legacyRoutes());
  }
}

@Resolver(() => RoutesTogether)
export class TogetherFields {
  @FieldResolver(() => [RouteReplacement], {
    description:
      'The query that could be asked instead: what these routes run, in one document, with aliases and other names for variables where they clash. A query for each of the cases in which the routes run something else, at most 12.',
  })
  replacements(@Root() { one }: KnownRoutesTogether): RouteReplacement[] {
    return [...one.calls];
  }

  @FieldResolver(() => String, { description: 'Where GraphiQL opens with that query: a path with a query.' })
  graphiqlPath(@Root() { one }: KnownRoutesTogether): string {
    return one.graphiqlPath;
  }
}

@Resolver(() => CallerUsage)
export class CallerFields {
  @FieldResolver(() => Platform, { nullable: true, description: 'The platform; null where it is none.' })
  platform(@Root() { platformId }: CallerUsage, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    return platformId === null ? null : loaders.one(Platform, columnsWanted(Platform, info), platformId);
  }
}
