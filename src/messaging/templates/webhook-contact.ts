import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Asks the contact of a webhook to confirm the address. */
export const webhookContact = ({ to, code, webhookId }: { to: string; code: string; webhookId: string }): Mail =>
  letter({
    to,
    subject: 'Confirm that you are the contact of a webhook',
    paragraphs: [
      `A platform has named this address as the contact of the webhook ${webhookId}, which gets a notice when deliveries fail.`,
      `To confirm it, send this code with the mutation confirmWebhookContact: ${code}`,
    ],
    closing: 'If you know nothing of this webhook, ignore this mail. You will not get others about it.',
  });
