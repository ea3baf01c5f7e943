import type { LegacyRecord } from './engine/bind/binding.js';
import type { Routes } from './engine/route.js';
import * as accounts from './records/accounts.js';
import * as checkout from './records/checkout.js';
import * as engagement from './records/engagement.js';
import * as leagues from './records/leagues.js';
import * as media from './records/media.js';
import * as news from './records/news.js';
import * as officiating from './records/officiating.js';
import * as rankings from './records/rankings.js';
import * as reference from './records/reference.js';
import * as scheduler from './records/scheduler.js';
import * as tournaments from './records/tournaments.js';
import { accountRoutes } from './routes/accounts.js';
import { checkoutRoutes } from './routes/checkout.js';
import { engagementRoutes } from './routes/engagement.js';
import { leagueRoutes } from './routes/leagues.js';
import { mediaRoutes } from './routes/media.js';
import { newsRoutes } from './routes/news.js';
import { officiatingRoutes } from './routes/officiating.js';
import { rankingRoutes } from './routes/rankings.js';
import { referenceRoutes } from './routes/reference.js';
import { schedulerRoutes } from './routes/scheduler.js';
import { teamRoutes } from './routes/teams.js';
import { tournamentRefereeRoutes } from './routes/tournament-referees.js';
import { tournamentRoutes } from './routes/tournaments.js';

/** Exports of the record modules. Some exports are not records. */
const recordModules: readonly Readonly<Record<string, unknown>>[] = [
  reference,
  accounts,
  rankings,
  tournaments,
  leagues,
  news,
  media,
  checkout,
  officiating,
  engagement,
  scheduler,
];

/** Route tables of the legacy interface. */
export const legacyRoutes: readonly Routes[] = [
  referenceRoutes,
  accountRoutes,
  rankingRoutes,
  tournamentRoutes,
  teamRoutes,
  tournamentRefereeRoutes,
  leagueRoutes,
  newsRoutes,
  mediaRoutes,
  checkoutRoutes,
  officiatingRoutes,
  engagementRoutes,
  schedulerRoutes,
];

const isRecord = (value: unknown): value is LegacyRecord =>
  typeof value === 'object' && value !== null && 'fields' in value && 'keys' in value;

/** Records of the legacy interface. */
export const legacyRecords: readonly LegacyRecord[] = recordModules.flatMap((module) => Object.values(module).filter(isRecord));
