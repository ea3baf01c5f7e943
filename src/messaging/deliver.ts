import { setTimeout as pause } from 'node:timers/promises';
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { createCache, validForever } from '../kernel/caches.js';
import { tracing } from '../kernel/tracing.js';
import type { QueuedMessage } from './message.js';
import { Refusal, type Send } from './message.js';
import { countMessageAttempt } from './message-counts.js';
import { domainOf, reasonOf } from './safe-reason.js';

/**
 * If the database is unavailable after a message has been sent, the queue runs the job of the message again. This cache prevents sending
 * the message twice.
 */
const sentCache = { name: 'recently sent messages, keyed by job', limit: '1,000', validity: validForever };

type MessageJob = JobWithMetadata<QueuedMessage>;

/**
 * Creates the job handler of a queue. Does not resend messages that this process has already sent. Records the result of each message
 * separately.
 */
export function createMessageHandler(boss: PgBoss, send: Send, log: Logger): (jobs: MessageJob[]) => Promise<JobResult[]> {
  const sentJobs = createCache<string, true>(sentCache, { max: 1_000 });
  async function attempt(job: MessageJob): Promise<JobResult> {
    const logFields = { kind: job.name, job: job.id, domain: domainOf(job.data), attempt: job.retryCount + 1 };
    let outcome: string;
    if (sentJobs.has(job.id)) return completeJob(job);
    try {
      const sendMessage = () => send(job.data, { id: job.sourceRootId ?? job.id, signal: job.signal });
      outcome = await (tracing ? tracing.delivery(job.name, logFields.attempt, job.data.trace, sendMessage) : sendMessage());
    } catch (error) {
      const reason = reasonOf(error);
      const isDead = error instanceof Refusal || job.retryCount >= job.retryLimit;
      countMessageAttempt(job.name, isDead ? 'dead' : 'failed');
      if (isDead) log.error({ ...logFields, reason }, 'message failed permanently: see courtside jobs list');
      else log.warn({ ...logFields, reason }, 'message not sent yet, will be retried');
      return { id: job.id, status: isDead ? 'deadletter' : 'failed', output: { reason } };
    }
    countMessageAttempt(job.name, 'sent');
    log.info(logFields, `message ${outcome}`);
    sentJobs.set(job.id, true);
    return completeJob(job);
  }
  async function completeJob(job: MessageJob): Promise<JobResult> {
    await recordCompletion(boss, job);
    return { id: job.id, status: 'completed' };
  }
  return (jobs) => Promise.all(jobs.map(attempt));
}

/**
 * Records that a message was sent. Retries while the database is unavailable, because another process would otherwise send the message
 * again.
 */
async function recordCompletion(boss: PgBoss, job: MessageJob): Promise<void> {
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
