import { graphql, type ResultOf, type VariablesOf } from 'courtside-sdk';

const Counts = graphql('fragment ConsoleCounts on UsageCounts { calls clientErrors serverErrors p50 p95 lastSeenAt }');

export const UsageSummaryQuery = graphql(
  `query ConsoleUsageSummary($platformId: ID) {
    platformUsage(platformId: $platformId) {
      from to counts { ...ConsoleCounts } days { day counts { calls } }
      graph { counts { ...ConsoleCounts } days { day counts { calls } } }
    }
  }`,
  [Counts],
);
export const UsageQuery = graphql(
  `query ConsoleUsage($from: Date, $to: Date, $platformId: ID, $caller: UsageCaller) {
    platformUsage(from: $from, to: $to, platformId: $platformId, caller: $caller) {
      from to counts { ...ConsoleCounts } days { day counts { calls } }
      routes { route referencePath counts { ...ConsoleCounts } end { deprecatedAt sunsetAt } }
      callers { caller platformId platform { id title } routes counts { ...ConsoleCounts } }
      graph {
        counts { ...ConsoleCounts } days { day counts { calls } }
        fields { operation field counts { ...ConsoleCounts } }
        callers { caller platformId platform { id title } routes counts { ...ConsoleCounts } }
      }
    }
  }`,
  [Counts],
);
export type UsageCounts = ResultOf<typeof Counts>;
export type Usage = NonNullable<ResultOf<typeof UsageQuery>['platformUsage']>;
export type UsageDay = Usage['days'][number];
export type RouteUsage = Usage['routes'][number];
export type FieldUsage = Usage['graph']['fields'][number];
export type CallerUsage = Usage['callers'][number];
export type Caller = NonNullable<VariablesOf<typeof UsageQuery>['caller']>;
