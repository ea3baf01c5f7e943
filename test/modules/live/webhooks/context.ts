import { afterAll, afterEach, beforeAll } from 'vitest';
import type { BackgroundWork } from '../../../../src/kernel/serve/module.js';
import { type SendingOptions, startSendingWebhooks } from '../../../../src/modules/live/webhooks/start-sending.js';
import { startApp, type TestApp } from '../../../support/servers/app.js';
import { type ReceivedDelivery, type Receiver, startWebhookReceiver, type Verdict } from './receiver.js';

/** Intervals and grace period in milliseconds and retry pauses in seconds, short enough for tests. */
const quick: SendingOptions = {
  idleInterval: 50,
  busyInterval: 50,
  positionInterval: 60_000,
  grace: 100,
  pauses: { seconds: [0.05, 0.1, 0.1], jitter: 0.1 },
};

export interface WebhookContext {
  app: TestApp;
  /** Creates a webhook for the app's platform. `more` is appended to the mutation's arguments. */
  createWebhook(url: string, events: string[], more?: string): Promise<{ id: string; secret: string }>;
  startReceiver(verdict?: (arrived: ReceivedDelivery, nth: number) => Verdict | Promise<Verdict>): Promise<Receiver>;
  startSending(pace?: Partial<SendingOptions>): BackgroundWork;
  saveTeam(id: string, seed: number): Promise<unknown>;
  deliveriesOf(webhookId: string): Promise<Record<string, unknown>[]>;
}

/**
 * Starts one app per test file. It sends webhooks only after `startSending()`. The receivers and senders of a test stop when the test ends.
 */
export function useWebhookContext(environment: Record<string, string> = {}): WebhookContext {
  const closers: (() => Promise<unknown>)[] = [];
  const context = {} as WebhookContext;
  beforeAll(async () => {
    context.app = await startApp({ WEBHOOK_NETWORKS: '127.0.0.0/8', ...environment }, undefined, undefined, false);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await context.app.sql.rows('delete from webhook');
    await context.app.sql.rows('delete from webhook_position');
    await context.app.sql.rows('delete from webhook_delivery');
  });
  afterAll(() => context.app.close());
  const closeAfterTest = <T>(value: T, close: () => Promise<unknown>): T => {
    closers.push(close);
    return value;
  };
  return Object.assign(context, {
    async createWebhook(url: string, events: string[], more = '') {
      const { createWebhook, errors } = await context.app.graphql(
        `mutation ($url: String!, $events: [String!]!) { createWebhook(url: $url, events: $events ${more}) { secret webhook { id } } }`,
        { url, events },
      );
      if (errors) throw new Error(errors.join());
      return { id: createWebhook.webhook.id, secret: createWebhook.secret };
    },
    async startReceiver(verdict?: (arrived: ReceivedDelivery, nth: number) => Verdict | Promise<Verdict>) {
      const started = await startWebhookReceiver(verdict);
      return closeAfterTest(started, started.close);
    },
    startSending(pace: Partial<SendingOptions> = {}) {
      const { pools, services } = context.app.resources;
      const sending = startSendingWebhooks(pools, services, { ...quick, ...pace });
      return closeAfterTest(sending, () => sending.stop());
    },
    saveTeam: (id: string, seed: number) =>
      context.app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id } }', { input: { id, seed } }),
    deliveriesOf: (webhookId: string) =>
      context.app.sql.rows('select * from webhook_delivery where webhook_id = $1 order by "position"', [webhookId]),
  });
}
