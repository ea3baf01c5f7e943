import { smtp } from './adapters/smtp.js';
import { caught, missing } from './adapters/unconfigured.js';
import { webhook } from './adapters/webhook.js';
import type { Message } from './ports.js';
import { kinds } from './queues.js';
import type { Send } from './sender.js';

export interface SenderConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  smtpUrl: string | null;
  /** The sender of mails: `Courtside <no-reply@example.com>`. */
  mailFrom: string;
  /** Where text messages are posted, and the secret that signs them. */
  sms: { url: string; secret: string } | null;
  /** Messages that have no way out are caught and shown at /dev/mail; otherwise they wait until one is configured. */
  catchUnsent: boolean;
}

/** The one way out of each kind of message. */
export function senderOf({ smtpUrl, mailFrom, sms, catchUnsent }: SenderConfig): Send {
  const unsent = (variables: string) => (catchUnsent ? caught : missing(variables));
  const mail = smtpUrl ? smtp(smtpUrl, mailFrom) : unsent('SMTP_URL');
  const text = sms ? webhook(sms.url, sms.secret) : unsent('SMS_WEBHOOK_URL and SMS_WEBHOOK_SECRET');
  return (message, attempt) => (message.kind === 'mail' ? mail(message, attempt) : text(message, attempt));
}

/** The kinds of messages that stay here to be read. */
export function caughtKinds({ smtpUrl, sms, catchUnsent }: SenderConfig): Message['kind'][] {
  const adapters = { mail: smtpUrl, text: sms };
  return catchUnsent ? kinds.filter((kind) => !adapters[kind]) : [];
}
