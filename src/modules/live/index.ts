import { forgetChanges } from '../../kernel/changes/log-sql.js';
import { module } from '../../kernel/serve/module.js';
import { liveOfRecords } from './changes.js';
import { LiveResolver } from './live-resolver.js';
import { keepSending } from './webhooks/keep-sending.js';
import { Webhook } from './webhooks/webhook.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.js';
import { WebhookResolver } from './webhooks/webhook-resolver.js';
import { forgetDeliveries } from './webhooks/webhook-sql.js';

/** What changes, told to whoever waits for it. */
export const live = module({
  name: 'live',
  description: 'What changes, as it does.',
  messages: true,
  records: [Webhook, WebhookDelivery],
  resolvers: [LiveResolver, ...liveOfRecords, WebhookResolver],
  ongoing: keepSending,
  daily: [
    {
      name: 'forget-changes',
      run: (sql, { settings }) => forgetChanges((...asked) => sql.query(...asked), settings.changesDays),
    },
    { name: 'forget-deliveries', run: (sql, { settings }) => forgetDeliveries(sql, settings.changesDays) },
  ],
});
