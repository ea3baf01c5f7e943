import { setTimeout as pause } from 'node:timers/promises';
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { bounded, forGood } from '../kernel/bounded.js';
import { tracing } from '../kernel/tracing.js';
import type { Queued } from './message.js';
import { Refusal, type Send } from './sender.js';
import { domainOf, reasonOf } from './without-secrets.js';

/** Where the database was away for so long that the queue has put a job back, this process knows better. */
const sent = { what: 'the last messages that have left, by their jobs', most: '1,000', until: forGood };

type MessageJob = JobWithMetadata<Queued>;

/** Turns a sender into the handler of a queue's jobs: each message is tried once and its outcome kept for itself. */
export function deliver(boss: PgBoss, send: Send, log: Logger): (jobs: MessageJob[]) => Promise<JobResult[]> {
  const left = bounded<string, true>(sent, { max: 1_000 });
  async function attempt(job: MessageJob): Promise<JobResult> {
    const about = { kind: job.name, job: job.id, domain: domainOf(job.data), attempt: job.retryCount + 1 };
    let outcome: string;
    if (left.has(job.id)) return recorded(job);
    try {
      const sending = () => send(job.data, { id: job.sourceRootId ?? job.id, signal: job.signal });
      outcome = await (tracing ? tracing.delivery(job.name, about.attempt, job.data.trace, sending) : sending());
    } catch (error) {
      const reason = reasonOf(error);
      const dead = error instanceof Refusal || job.retryCount >= job.retryLimit;
      if (dead) log.error({ ...about, reason }, 'message given up: see npm run jobs -- list');
      else log.warn({ ...about, reason }, 'message not sent, will be tried again');
      return { id: job.id, status: dead ? 'deadletter' : 'failed', output: { reason } };
    }
    log.info(about, `message ${outcome}`);
    left.set(job.id, true);
    return recorded(job);
  }
  async function recorded(job: MessageJob): Promise<JobResult> {
    await settle(boss, job);
    return { id: job.id, status: 'completed' };
  }
  return (jobs) => Promise.all(jobs.map(attempt));
}

/**
 * Records at once that a message has left, and keeps trying while the database is away: a message whose acceptance is not recorded is sent a
 * second time by another process.
 */
async function settle(boss: PgBoss, job: MessageJob): Promise<void> {
  for (;;) {
    try {
      await boss.complete(job.name, job);
      return;
    } catch {
      if (job.signal.aborted) return;
      await pause(1000, undefined, { ref: false });
    }
  }
}
