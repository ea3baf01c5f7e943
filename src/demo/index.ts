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

/** What the season is made of, in this order; a module adds its rows here. */
const chapters: readonly [title: string, tell: (world: World) => Promise<void>][] = [
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

/** Loads the demo season, all of it or nothing; `progress` is told what is being loaded. */
export async function loadDemo(sql: Session, progress: (sentence: string) => void): Promise<void> {
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
    for (const [title, tell] of chapters) {
      progress(title);
      await tell(world);
    }
  });
  await analyze(sql);
}
