import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Asks the contact of a webhook to confirm the address. */
export const webhookContact = ({ to, code, webhookId }: { to: string; code: string; webhookId: string }): Mail =>
  letter({
    to,
    subject: 'Confirm that you are the contact of a webhook',
    paragraphs: [
      `A platform entered this email address as the contact of the webhook ${webhookId}. The contact gets an email if the webhook is paused because deliveries fail.`,
      `To confirm this, call the mutation confirmWebhookContact with this code: ${code}`,
    ],
    closing: 'If you do not know this webhook, you can ignore this email. You will not get further emails about it.',
  });
