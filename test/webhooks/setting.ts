import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Ongoing } from '../../src/kernel/serve/module.js';
import { keepSending, type SendingPace } from '../../src/modules/live/webhooks/keep-sending.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Arrived, type Receiver, receiver, type Verdict } from './receiver.js';

/** Pauses that a test can wait for. */
export const quick: SendingPace = {
  idle: 50,
  busy: 50,
  noted: 60_000,
  grace: 100,
  pauses: { seconds: [0.05, 0.1, 0.1], jitter: 0.1 },
};

export interface Setting {
  app: TestApp;
  /** Makes a webhook of the platform of the app; its id and its secret. */
  webhook(url: string, events: string[], more?: string): Promise<{ id: string; secret: string }>;
  receiver(verdict?: (arrived: Arrived, nth: number) => Verdict | Promise<Verdict>): Promise<Receiver>;
  send(pace?: Partial<SendingPace>): Ongoing;
  team(id: string, seed: number): Promise<unknown>;
  deliveries(webhookId: string): Promise<Record<string, unknown>[]>;
}

/** An app whose webhooks are sent when a test says so, and everything that a test opened closed behind it. */
export function settingOf(environment: Record<string, string> = {}): Setting {
  const closers: (() => Promise<unknown>)[] = [];
  const setting = {} as Setting;
  beforeAll(async () => {
    setting.app = await startApp({ WEBHOOK_NETWORKS: '127.0.0.0/8', ...environment }, undefined, undefined, false);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await setting.app.sql.rows('delete from webhook');
    await setting.app.sql.rows('delete from webhook_place');
    await setting.app.sql.rows('delete from webhook_delivery');
  });
  afterAll(() => setting.app.close());
  const closing = <T>(value: T, close: () => Promise<unknown>): T => {
    closers.push(close);
    return value;
  };
  return Object.assign(setting, {
    async webhook(url: string, events: string[], more = '') {
      const { createWebhook, errors } = await setting.app.graphql(
        `mutation ($url: String!, $events: [String!]!) { createWebhook(url: $url, events: $events ${more}) { secret webhook { id } } }`,
        { url, events },
      );
      if (errors) throw new Error(errors.join());
      return { id: createWebhook.webhook.id, secret: createWebhook.secret };
    },
    async receiver(verdict?: (arrived: Arrived, nth: number) => Verdict | Promise<Verdict>) {
      const made = await receiver(verdict);
      return closing(made, made.close);
    },
    send(pace: Partial<SendingPace> = {}) {
      const { pools, services } = setting.app.resources;
      const sending = keepSending(pools, services, { ...quick, ...pace });
      return closing(sending, () => sending.stop());
    },
    team: (id: string, seed: number) =>
      setting.app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id } }', { input: { id, seed } }),
    deliveries: (webhookId: string) =>
      setting.app.sql.rows('select * from webhook_delivery where webhook_id = $1 order by "position"', [webhookId]),
  });
}
