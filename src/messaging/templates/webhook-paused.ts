import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Tells who looks after a receiver that nothing is sent to it any more, and how it goes on. */
export const webhookPaused = ({
  to,
  host,
  webhookId,
  error,
}: {
  to: string;
  host: string;
  webhookId: string;
  error: string;
}): Mail =>
  letter({
    to,
    subject: `Webhook to ${host} is paused`,
    paragraphs: [
      `Nothing is sent any more to the webhook ${webhookId} at ${host}, because its receiver does not take deliveries. The last attempt: ${error}`,
      'Once the receiver is well, resume it with the mutation resumeWebhook: it goes on where it was paused. The list webhookDeliveries shows what failed.',
    ],
  });
