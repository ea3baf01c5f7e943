import { smtpSender } from './adapters/smtp.js';
import { webhookSender } from './adapters/webhook.js';
import type { Send } from './message.js';
import type { Message } from './ports.js';
import { messageKinds } from './queue-names.js';

export interface SenderConfig {
  /** URL of the mail server: `smtp://user:password@host:587` or `smtps://…`. */
  smtpUrl: string | null;
  /** Sender address of emails: `Courtside <no-reply@example.com>`. */
  mailFrom: string;
  /** URL that receives text messages, and the secret that signs them. */
  sms: { url: string; secret: string } | null;
  /**
   * Whether messages without a configured transport are caught and shown at `/dev/mail`. If false, the queue retries them until the last
   * attempt has failed.
   */
  catchUnsent: boolean;
}

/** Creates the sender for all message types. */
export function senderOf({ smtpUrl, mailFrom, sms, catchUnsent }: SenderConfig): Send {
  const withoutTransport = (variables: string) => (catchUnsent ? catchMessage : failUntilConfigured(variables));
  const mail = smtpUrl ? smtpSender(smtpUrl, mailFrom) : withoutTransport('SMTP_URL');
  const text = sms ? webhookSender(sms.url, sms.secret) : withoutTransport('SMS_WEBHOOK_URL and SMS_WEBHOOK_SECRET');
  return (message, attempt) => (message.kind === 'mail' ? mail(message, attempt) : text(message, attempt));
}

/** Message types that are caught instead of sent. */
export function caughtKindsOf({ smtpUrl, sms, catchUnsent }: SenderConfig): Message['kind'][] {
  const adapters = { mail: smtpUrl, text: sms };
  return catchUnsent ? messageKinds.filter((kind) => !adapters[kind]) : [];
}

/** Does not send the message. Its job is completed and stays in the queue, where the page `/dev/mail` finds it. */
const catchMessage: Send = async () => 'caught';

/** Fails every attempt until the operator sets the variables, so that the queue retries the messages. */
const failUntilConfigured =
  (variables: string): Send =>
  async () => {
    throw new Error(`set ${variables} to send this`);
  };
