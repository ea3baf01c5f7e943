import { Platform } from '../modules/accounts/platforms/platform.js';
import { PublishableKey } from '../modules/accounts/platforms/publishable-key.js';
import { hashOf } from '../modules/accounts/tokens/secrets.js';
import { Deprecation } from '../modules/usage/deprecation.js';
import { bucketCount, bucketIndexOf } from '../modules/usage/latencies.js';
import { graphRoute, graphRouteOf } from '../modules/usage/usage-scope.js';
import { addUsage } from '../modules/usage/usage-sql.js';
import type { DemoContext, DemoTools } from './context.js';

const scoreboard = 'demo-scoreboard';
const clubSites = 'demo-club-sites';

/**
 * Inserts more platforms, their keys, and deprecated routes. These platforms cannot send requests, because they have no tokens and their
 * keys are unknown.
 */
async function insertPlatforms({ day, faker, insert }: DemoTools): Promise<void> {
  await insert(Platform, [
    {
      id: clubSites,
      title: 'Club Sites',
      domain: 'club-sites.example',
      allowedOrigins: ['https://club-sites.example'],
      previousTokenEndsAt: day(3, 12),
    },
    { id: scoreboard, title: 'Scoreboard App', domain: 'scoreboard.example' },
    { id: 'demo-old-scoreboard', title: 'Old Scoreboard', domain: 'old-scoreboard.example', isEnabled: false },
  ]);
  const keyOf = (id: string, platformId: string, label: string) => ({
    id,
    platformId,
    label,
    hint: 'pk_demo',
    keyHash: hashOf(faker.string.alphanumeric(32)),
  });
  await insert(PublishableKey, [
    {
      ...keyOf('demo-club-key', clubSites, 'Websites'),
      allowedOrigins: ['https://club-sites.example', 'https://www.club-sites.example'],
    },
    {
      ...keyOf('demo-club-old-key', clubSites, 'Old websites'),
      allowedOrigins: ['https://old.club-sites.example'],
      revokedAt: day(-20, 9),
    },
    { ...keyOf('demo-scoreboard-key', scoreboard, 'Android and iOS'), allowedOrigins: [] },
  ]);
  await insert(
    Deprecation,
    [
      {
        route: 'GET /v1/data/teams/{uuid}',
        platformId: clubSites,
        deprecatedAt: day(-40),
        sunsetAt: day(90),
        text: 'Query team(id:) in the graph instead.',
        rehearsalBeginsAt: day(30, 9),
      },
      {
        route: 'GET /v1/data/news',
        platformId: scoreboard,
        deprecatedAt: day(-10),
        sunsetAt: day(180),
        text: 'Query news in the graph instead.',
        link: 'https://scoreboard.example/graph',
      },
    ].map((deprecation, index) => ({ id: `demo-deprecation-${index + 1}`, ...deprecation })),
  );
}

/** Routes of `/v1`, with their share of the calls. */
const routes = [
  ['GET /v1/data/tourney_flat_data', 0.4],
  ['GET /v1/data/teams', 0.3],
  ['GET /v1/data/teams/{uuid}', 0.2],
  ['GET /v1/data/news', 0.1],
] as const;

/** Counters of the graph in the demo usage, with their share of all operations. The first counter is the total. */
const operations = [
  [graphRoute, 1],
  [graphRouteOf('query', 'tournaments'), 0.5],
  [graphRouteOf('query', 'teams'), 0.35],
  [graphRouteOf('query', 'news'), 0.3],
  [graphRouteOf('mutation', 'registerTeam'), 0.05],
] as const;

const usageDays = 45;

/** Adds the calls of the last 45 days. The calls to `/v1` decrease, and the calls to the graph increase. */
async function insertUsage({ day, faker, sql }: DemoTools): Promise<void> {
  const rows = Array.from({ length: usageDays }, (_, index) => index + 1).flatMap((daysAgo) =>
    [clubSites, scoreboard].flatMap((platformId) => {
      const callsPerDay = 900 + faker.number.int(200);
      const progress = 1 - daysAgo / usageDays;
      const rowOf = (route: string, share: number) => {
        const calls = Math.round(callsPerDay * share);
        const latencies = Array.from({ length: bucketCount }, () => 0);
        latencies[bucketIndexOf(4)] = calls - Math.round(calls / 20);
        latencies[bucketIndexOf(40)] = Math.round(calls / 20);
        return {
          day: day(-daysAgo).slice(0, 10),
          caller: 'PLATFORM' as const,
          platformId,
          route,
          calls,
          clientErrors: Math.round(calls / 150),
          serverErrors: 0,
          firstAt: Date.parse(day(-daysAgo, 1)),
          lastAt: Date.parse(day(-daysAgo, 23)),
          latencies,
        };
      };
      return [
        ...routes.map(([route, share]) => rowOf(route, share * (1 - progress * 0.8))),
        ...operations.map(([route, share]) => rowOf(route, share * (0.1 + progress))),
      ];
    }),
  );
  await addUsage(sql, faker.string.uuid(), 1, { routes: rows });
}

/** Inserts more platforms, the usage of `/v1` and of the graph, and deprecations of routes. */
export async function insertPlatformData(context: DemoContext): Promise<void> {
  await insertPlatforms(context);
  await insertUsage(context);
}
