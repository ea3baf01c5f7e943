import type { Session } from '../kernel/session.js';
import { insertCheckout } from './checkout.js';
import { insertClubs } from './clubs.js';
import { createTools, type DemoContext } from './context.js';
import { insertEngagement } from './engagement.js';
import { updatePlannerStatistics } from './insert-sql.js';
import { insertLeagues } from './leagues.js';
import { insertMedia } from './media.js';
import { insertNews } from './news.js';
import { insertAuditEntries, insertFailedMessages } from './operations.js';
import { insertPeople } from './people.js';
import { insertPlatformData } from './platforms.js';
import { insertScheduler } from './scheduler.js';
import { insertTournaments } from './season.js';
import { insertOfficiating } from './tournaments/officiating.js';
import { insertRankings } from './tournaments/rankings.js';
import { insertWebhooks } from './webhooks.js';

/** Steps that insert the demo data, in order. Each step can use the records of earlier steps. */
const steps: readonly [title: string, insert: (context: DemoContext) => Promise<void>][] = [
  ['clubs', insertClubs],
  ['tournaments', insertTournaments],
  ['rankings', insertRankings],
  ['invoices and payments', insertCheckout],
  ['matches', insertOfficiating],
  ['leagues', insertLeagues],
  ['news', insertNews],
  ['sponsors, images and biographies', insertMedia],
  ['games', insertScheduler],
  ['reactions, favorites and notifications', insertEngagement],
  ['webhooks', insertWebhooks],
  ['failed messages', insertFailedMessages],
  ['audit entries', insertAuditEntries],
  ['platforms and usage', insertPlatformData],
];

/** Inserts the demo data in one transaction. Calls `progress` with the title of each step. */
export async function loadDemo(sql: Session, progress: (title: string) => void): Promise<void> {
  await sql.transaction(async () => {
    const tools = createTools(sql, new Date());
    progress('people');
    const context: DemoContext = {
      ...tools,
      ...(await insertPeople(tools)),
      clubs: [],
      tournaments: [],
      events: [],
      teams: [],
      registrations: [],
      eventRegistrations: [],
    };
    for (const [title, insert] of steps) {
      progress(title);
      await insert(context);
    }
  });
  await updatePlannerStatistics(sql);
}
