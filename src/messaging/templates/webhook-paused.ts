import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { letter } from './letter.js';

/** Notifies the contact that a webhook is paused. The mail does not quote the response of the receiver. */
export const webhookPaused = ({ to, host, webhookId }: { to: string; host: string; webhookId: string }): Mail =>
  letter({
    to,
    subject: 'A webhook is paused',
    paragraphs: [
      `The webhook ${webhookId} at ${quotedText(host)} is paused, because its receiver does not accept deliveries.`,
      'Its fields pauseReason and pauseError show the reason. The query webhookDeliveries lists the failed deliveries. When the receiver works again, resume deliveries with the mutation resumeWebhook.',
    ],
  });
