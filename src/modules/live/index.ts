import { deleteOldChanges } from '../../kernel/changes/log-sql.js';
import { module } from '../../kernel/serve/module.js';
import { LiveCursorResolver, recordChangeResolvers } from './changes.js';
import { startSendingWebhooks } from './webhooks/start-sending.js';
import { Webhook } from './webhooks/webhook.js';
import { WebhookDelivery, WebhookDeliveryFields } from './webhooks/webhook-delivery.js';
import { WebhookResolver } from './webhooks/webhook-resolver.js';
import { deleteOldDeliveries } from './webhooks/webhook-sql.js';

/** Reports changes through subscriptions and webhooks. */
export const live = module({
  name: 'live',
  description: 'Changes in real time, through subscriptions and webhooks.',
  messages: true,
  records: [Webhook, WebhookDelivery],
  resolvers: [LiveCursorResolver, ...recordChangeResolvers, WebhookResolver, WebhookDeliveryFields],
  startBackgroundWork: startSendingWebhooks,
  dailyJobs: [
    {
      name: 'forget-changes',
      run: (sql, { settings }) => deleteOldChanges((...query) => sql.query(...query), settings.changesDays),
    },
    { name: 'forget-deliveries', run: (sql, { settings }) => deleteOldDeliveries(sql, settings.changesDays) },
  ],
});
