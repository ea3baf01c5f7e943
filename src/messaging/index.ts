import type { Logger } from 'pino';
import { createMessageHandler } from './deliver.js';
import { failedJobsOf, failedMessagesOf } from './failed-jobs.js';
import { findCaughtMessages, type ReadCaughtMessages } from './jobs-sql.js';
import { requeueOrphans } from './orphans-sql.js';
import { createOutbox } from './outbox.js';
import type { FailedJobs, FailedMessages, MessageQuotas, Outbox } from './ports.js';
import { messageKinds } from './queue-names.js';
import { createBoss, declareQueues, defaultRetry, heartbeatSeconds, type RetryPolicy } from './queues.js';
import { runSchedule, type Schedule } from './schedule.js';
import { caughtKindsOf, type SenderConfig, senderOf } from './senders.js';

export interface MessagingConfig extends SenderConfig {
  /** Limits on sent messages. Unlimited by default. */
  rateLimits?: MessageQuotas;
  retry?: RetryPolicy;
  /** Polling interval of an empty queue in seconds, at least 0.5. */
  pollSeconds?: number;
}

export interface Messaging {
  outbox: Outbox;
  failedMessages: FailedMessages;
  /** Jobs, other than messages, whose last attempt failed. */
  failedJobs: FailedJobs;
  /** Reads messages that were caught instead of sent. Null if messages are not caught. */
  readCaughtMessages: ReadCaughtMessages | null;
  start(): Promise<void>;
  /** Waits for running delivery attempts. Another process retries the attempts that do not finish. */
  stop(): Promise<void>;
}

const unlimited: MessageQuotas = {
  'account.messages': null,
  'user.messages': null,
  'user.recipient': null,
  'webhook.codes': null,
};

/** Creates the outbox, which enqueues messages in the caller's transaction, and the workers that send them. */
export async function createMessaging(options: {
  config: MessagingConfig;
  databaseUrl: string;
  log: Logger;
  /** Schedule of background jobs. If it is missing, no background jobs run. */
  schedule?: Schedule | null;
  /** Whether this process sends messages. If not, it only enqueues them, and the queues must already exist. */
  sendsMessages?: boolean;
}): Promise<Messaging> {
  const { config, databaseUrl, log, schedule, sendsMessages = true } = options;
  const boss = createBoss(databaseUrl, log, { checkSeconds: schedule?.checkSeconds, sendsMessages });
  const handler = createMessageHandler(boss, senderOf(config), log);
  const caughtMessageKinds = caughtKindsOf(config);
  let stopRequeueing = () => {};

  async function start(): Promise<void> {
    await boss.start();
    if (!sendsMessages) return;
    await declareQueues(boss, config.retry ?? defaultRetry, caughtMessageKinds);
    for (const kind of messageKinds) {
      await boss.work(
        kind,
        {
          batchSize: 5,
          burstWhenBatchFull: true,
          includeMetadata: true,
          perJobResults: true,
          heartbeatRefreshSeconds: heartbeatSeconds,
          pollingIntervalSeconds: config.pollSeconds ?? 2,
        },
        handler,
      );
    }
    stopRequeueing = requeueOrphans(boss);
    if (schedule) await runSchedule(boss, schedule, log);
  }

  return {
    outbox: createOutbox(boss, config.rateLimits ?? unlimited),
    failedMessages: failedMessagesOf(boss),
    failedJobs: failedJobsOf(boss),
    readCaughtMessages: caughtMessageKinds.length > 0 ? (to) => findCaughtMessages(boss, caughtMessageKinds, to) : null,
    start,
    stop: () => {
      stopRequeueing();
      return boss.stop({ timeout: 20_000 });
    },
  };
}
