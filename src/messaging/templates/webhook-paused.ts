import type { Mail } from '../message.js';
import { quoted } from '../quoted.js';
import { letter } from './letter.js';

/** Tells the contact of a webhook that it is paused. What the receiver answered is not in the mail. */
export const webhookPaused = ({ to, host, webhookId }: { to: string; host: string; webhookId: string }): Mail =>
  letter({
    to,
    subject: 'A webhook is paused',
    paragraphs: [
      `The webhook ${webhookId} at ${quoted(host)} is paused, because its receiver does not accept deliveries.`,
      'The fields pauseReason and pauseError of the webhook say why, and the list webhookDeliveries shows what failed. When the receiver works again, resume the webhook with the mutation resumeWebhook.',
    ],
  });
