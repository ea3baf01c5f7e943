import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { buildEmail } from './letter.js';

/** Email that asks the contact of a webhook to confirm their email address. */
export const webhookContactMail = ({ to, code, webhookId }: { to: string; code: string; webhookId: string }): Mail =>
  buildEmail({
    to,
    subject: 'Confirm that you are the contact of a webhook',
    paragraphs: [
      `A platform entered this email address as the contact of the webhook ${webhookId}. The contact gets an email if the webhook is paused because deliveries fail.`,
      `To confirm this, call the mutation confirmWebhookContact with this code: ${code}`,
    ],
    closing: 'If you do not know this webhook, you can ignore this email. You will not get further emails about it.',
  });

/** Notifies the contact that a webhook is paused. The email does not quote the response of the receiver. */
export const webhookPausedMail = ({ to, host, webhookId }: { to: string; host: string; webhookId: string }): Mail =>
  buildEmail({
    to,
    subject: 'A webhook is paused',
    paragraphs: [
      `The webhook ${webhookId} at ${quotedText(host)} is paused, because its receiver does not accept deliveries.`,
      'Its fields pauseReason and pauseError show the reason. The query webhookDeliveries lists the failed deliveries. When the receiver works again, resume deliveries with the mutation resumeWebhook.',
    ],
  });
