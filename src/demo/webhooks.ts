import { Webhook } from '../modules/live/webhooks/webhook.js';
import type { WebhookAttempt } from '../modules/live/webhooks/webhook-attempt.js';
import { WebhookDelivery, type WebhookDeliveryStatus } from '../modules/live/webhooks/webhook-delivery.js';
import { missedEvent, pingEvent } from '../modules/live/webhooks/webhook-events.js';
import { insertPosition } from '../modules/live/webhooks/webhook-sql.js';
import type { DemoContext } from './context.js';
import type { RecordDraft } from './insert-sql.js';

/** State of a delivery, with the result of its last attempt. */
type Outcome = Pick<RecordDraft<WebhookDelivery>, 'attempts' | 'httpStatus' | 'error' | 'deliveredAt' | 'nextAttemptAt'> & {
  status: WebhookDeliveryStatus;
};

/** Seconds from the event to each attempt. */
const attemptTimes = [1, 6, 36, 216, 1_016, 3_616, 10_816, 28_816];

/** Returns the attempts of a delivery. All attempts have the same result. */
const attemptsOf = (happenedAt: string, { attempts = 0, httpStatus, error }: Outcome): WebhookAttempt[] =>
  attemptTimes.slice(0, attempts).map((seconds, index) => ({
    startedAt: new Date(Date.parse(happenedAt) + seconds * 1000).toISOString(),
    duration: 40 + 7 * index,
    httpStatus: httpStatus ?? null,
    error: error ?? null,
    response: error?.replace(/^responded with \d+: /, '') ?? 'OK',
  }));

const delivered = (at: string): Outcome => ({ status: 'DELIVERED', attempts: 1, httpStatus: 200, error: null, deliveredAt: at });
const skipped: Outcome = { status: 'GIVEN_UP', attempts: 8, httpStatus: 500, error: 'responded with 500: Internal Server Error' };
const failed = (nextAttemptAt: string): Outcome => ({
  status: 'PENDING',
  attempts: 8,
  httpStatus: 503,
  error: 'responded with 503: The results page is being rebuilt.',
  nextAttemptAt,
});

/**
 * Inserts two webhooks of the platform with deliveries in all states. Both webhooks are paused, because an active webhook would send
 * changes of the demo data to its URL.
 */
export async function insertWebhooks(context: DemoContext): Promise<void> {
  const { day, faker, insert, platform, sql, teams, tournaments } = context;
  const secret = () => `whsec_${Buffer.from(faker.string.alphanumeric(32)).toString('base64')}`;
  const webhook = { platformId: platform.id, createdAt: day(-60), createdBy: platform.title };
  await insert(Webhook, [
    {
      ...webhook,
      id: 'demo-webhook',
      url: 'https://courtside.test/hooks/results',
      events: ['team.changed', 'finalStanding.*', 'tournament.changed'],
      contactEmail: 'operations@courtside.test',
      contactVerifiedAt: day(-59),
      pausedAt: day(-1, 14),
      pauseReason: 'FAILED',
      pauseError: 'responded with 503: The results page is being rebuilt.',
      secret: secret(),
    },
    {
      ...webhook,
      id: faker.string.uuid(),
      url: 'https://courtside.test/hooks/calendar',
      events: ['game.*'],
      pausedAt: day(-10, 9),
      pauseReason: 'REQUESTED',
      secret: secret(),
    },
  ]);
  // The change log starts after the demo data. When the webhook is resumed, it gets the event `changes.missed`.
  await insertPosition(sql, 'demo-webhook', { log: 'demo', position: 0 });
  const deliveryOf = (event: string, recordType: string, recordKey: string, happenedAt: string, outcome: Outcome) => ({
    id: faker.string.uuid(),
    webhookId: 'demo-webhook',
    eventKey: `evt_demo_${faker.string.alphanumeric(6)}`,
    event,
    recordType,
    recordKey,
    changedFields: event === 'team.changed' ? ['seed'] : event === 'tournament.changed' ? ['startsAt'] : [],
    happenedAt,
    createdAt: happenedAt,
    pastAttempts: attemptsOf(happenedAt, outcome),
    ...outcome,
  });
  const deliveriesOf = (count: number, days: number, outcomeAt: (at: string) => Outcome) =>
    Array.from({ length: count }, (_, index) => {
      const at = day(days, index / 4);
      return index % 5 === 0
        ? deliveryOf('tournament.changed', 'Tournament', faker.helpers.arrayElement(tournaments).id, at, outcomeAt(at))
        : deliveryOf('team.changed', 'Team', faker.helpers.arrayElement(teams).id, at, outcomeAt(at));
    });
  await insert(WebhookDelivery, [
    deliveryOf(pingEvent, 'Webhook', 'demo-webhook', day(-6), delivered(day(-6))),
    deliveryOf(missedEvent, 'Webhook', 'demo-webhook', day(-5), delivered(day(-5))),
    ...deliveriesOf(40, -4, delivered),
    ...deliveriesOf(3, -3, () => skipped),
    ...deliveriesOf(6, -2, () => failed(day(-1, 14))),
  ]);
}
