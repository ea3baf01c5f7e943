import { PgBoss } from 'pg-boss';
import { StartProblem } from '../start-problem.js';
import { deadLetters, schema } from './queues.js';
import { findStuck, type StuckJob } from './stuck-sql.js';
import { domainOf, reasonOf } from './without-secrets.js';

/** A message that did not leave, as an operator sees it: nothing of its content, and no more of its recipient than the domain. */
export interface StuckMessage extends Omit<StuckJob, 'to' | 'when'> {
  recipient: string;
  /** When it was given up, or when it is tried next. */
  when: string;
}

/** What is stuck in the queues of a database, and the means to send it again. Needs no running service. */
export interface Operator {
  list(): Promise<StuckMessage[]>;
  /** Puts dead letters back into their queues, where a running service takes them; answers how many. */
  retry(which: string | 'all'): Promise<number>;
  close(): Promise<void>;
}

/** Opens the queues of a database for an operator; a StartProblem says why they cannot be read. */
export async function openDeadLetters(databaseUrl: string): Promise<Operator> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 1, migrate: false, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start().catch(async (error: unknown) => {
    await boss.stop({ graceful: false });
    throw new StartProblem(problemOf(error));
  });

  async function list(): Promise<StuckMessage[]> {
    return (await findStuck(boss)).map(({ id, kind, state, to, attempts, error, when }) => ({
      id,
      kind,
      state,
      recipient: domainOf({ kind, to }),
      attempts,
      error: reasonOf(error),
      when: when.toISOString(),
    }));
  }

  async function retry(which: string): Promise<number> {
    if (which !== 'all') return boss.redrive(deadLetters, { ids: [which] });
    // No more than there are now: what fails again meanwhile is not taken a second time.
    const { total } = await boss.previewRedrive(deadLetters);
    let moved = 0;
    for (let last = -1; last !== 0 && moved < total; ) {
      last = await boss.redrive(deadLetters, { limit: Math.min(1000, total - moved) });
      moved += last;
    }
    return moved;
  }

  return { list, retry, close: () => boss.stop({ graceful: false }) };
}

function problemOf(error: unknown): string {
  const reason = reasonOf(error);
  if (reason === 'pg-boss is not installed') return 'The service has not run on this database yet: there are no messages.';
  if (reason === 'pg-boss database requires migrations')
    return 'Another release of the service runs on this database: use its own jobs command.';
  return `The database cannot be asked: ${reason}.`;
}
