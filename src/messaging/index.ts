import type { Logger } from 'pino';
import { type Caught, findCaught } from './caught/messages-sql.js';
import { deliver } from './deliver.js';
import { takeUpLeftBehind } from './left-behind-sql.js';
import { createOutbox } from './outbox.js';
import type { MessageQuotas, Outbox } from './ports.js';
import { createBoss, declareQueues, heartbeat, kinds, patient, type RetryPolicy } from './queues.js';
import { caughtKinds, type SenderConfig, senderOf } from './senders.js';
import { keepTimetable, type Timetable } from './timetable.js';

export interface MessagingConfig extends SenderConfig {
  /** Limits of sent messages. Unlimited by default. */
  rateLimits?: MessageQuotas;
  retry?: RetryPolicy;
  /** Pause between two looks at an empty queue; at least half a second. */
  pollSeconds?: number;
}

export interface Messaging {
  outbox: Outbox;
  /** Messages that did not leave this machine; null when none are caught. */
  caught: Caught | null;
  start(): Promise<void>;
  /** Lets attempts in progress come to their end; what cannot, is tried again by another process. */
  stop(): Promise<void>;
}

const unlimited: MessageQuotas = {
  'account.messages': null,
  'user.messages': null,
  'user.recipient': null,
  'webhook.codes': null,
};

/** Mail and text messages: an outbox that takes part in the caller's transaction, and the workers that empty it. */
export async function createMessaging(options: {
  config: MessagingConfig;
  databaseUrl: string;
  log: Logger;
  /** Nothing is done by the clock without one. */
  timetable?: Timetable | null;
  /** Whether messages are sent here, or only left for another process, which has been there before. */
  works?: boolean;
}): Promise<Messaging> {
  const { config, databaseUrl, log, timetable, works = true } = options;
  const boss = createBoss(databaseUrl, log, { lookSeconds: timetable?.lookSeconds, works });
  const handler = deliver(boss, senderOf(config), log);
  const caught = caughtKinds(config);
  let stopLooking = () => {};

  async function start(): Promise<void> {
    await boss.start();
    if (!works) return;
    await declareQueues(boss, config.retry ?? patient, caught);
    for (const kind of kinds) {
      await boss.work(
        kind,
        {
          batchSize: 5,
          burstWhenBatchFull: true,
          includeMetadata: true,
          perJobResults: true,
          heartbeatRefreshSeconds: heartbeat,
          pollingIntervalSeconds: config.pollSeconds ?? 2,
        },
        handler,
      );
    }
    stopLooking = takeUpLeftBehind(boss);
    if (timetable) await keepTimetable(boss, timetable, log);
  }

  return {
    outbox: createOutbox(boss, config.rateLimits ?? unlimited),
    caught: caught.length > 0 ? (to) => findCaught(boss, caught, to) : null,
    start,
    stop: () => {
      stopLooking();
      return boss.stop({ timeout: 20_000 });
    },
  };
}
