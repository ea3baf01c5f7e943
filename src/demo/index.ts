import type { Session } from '../kernel/session.js';
import { demoCheckout } from './checkout.js';
import { demoClubs } from './clubs.js';
import { demoEngagement } from './engagement.js';
import { analyze } from './insert-sql.js';
import { demoLeagues } from './leagues.js';
import { demoMedia } from './media.js';
import { demoNews } from './news.js';
import { demoOfficiating } from './officiating.js';
import { demoPeople } from './people.js';
import { demoRankings } from './rankings.js';
import { demoScheduler } from './scheduler.js';
import { demoTournaments } from './season.js';
import { createTools, type World } from './world.js';

/** Steps that insert the demo data, in order. New modules add a step. */
const steps: readonly [title: string, insert: (world: World) => Promise<void>][] = [
  ['clubs', demoClubs],
  ['tournaments', demoTournaments],
  ['rankings', demoRankings],
  ['invoices and payments', demoCheckout],
  ['matches', demoOfficiating],
  ['leagues', demoLeagues],
  ['news', demoNews],
  ['sponsors, images and biographies', demoMedia],
  ['games', demoScheduler],
  ['reactions, favorites and notifications', demoEngagement],
];

/** Inserts the demo data in one transaction. Calls `progress` with the title of each step. */
export async function loadDemo(sql: Session, progress: (title: string) => void): Promise<void> {
  await sql.transaction(async () => {
    const tools = createTools(sql, new Date());
    progress('people');
    const world: World = {
      ...tools,
      ...(await demoPeople(tools)),
      clubs: [],
      tournaments: [],
      events: [],
      teams: [],
      registrations: [],
      eventRegistrations: [],
    };
    for (const [title, insert] of steps) {
      progress(title);
      await insert(world);
    }
  });
  await analyze(sql);
}
