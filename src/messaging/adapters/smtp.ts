import type { NodemailerError } from 'nodemailer';
import { Refusal, type Send } from '../message.js';
import type { Mail } from '../ports.js';

/** Matches addresses that are safe in a header and an envelope: a single recipient, without quotes or whitespace. */
const bareAddress = /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}]+$/u;

/** Sends each email over its own SMTP connection, so that nodemailer does not requeue emails. */
export function smtpSender(url: string, from: string): Send<Mail> {
  const createTransport = async () =>
    (await import('nodemailer')).createTransport({
      url,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 15_000,
      socketTimeout: 60_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let transport: ReturnType<typeof createTransport> | undefined;
  return async (mail, { id, signal }) => {
    if (!bareAddress.test(mail.to)) throw new Refusal('the recipient is not an e-mail address');
    const { to, subject, text, html } = mail;
    const replyTo = mail.replyTo && bareAddress.test(mail.replyTo) ? { name: '', address: mail.replyTo } : undefined;
    // After a network error, an email may be sent twice. Mailboxes recognize the duplicate by its Message-ID.
    const messageId = `<${id}@courtside>`;
    try {
      transport ??= createTransport();
      await (await transport).sendMail({ from, to: { name: '', address: to }, replyTo, subject, text, html, messageId, signal });
      return 'sent';
    } catch (error) {
      throw isPermanent(error) ? new Refusal(error.message) : error;
    }
  };
}

/**
 * Whether the server rejected this message permanently (5xx for the envelope or content). Rejected logins and greetings, and 530
 * for a missing login, are configuration errors that can be fixed.
 */
function isPermanent(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, permanent, responseCode }: NodemailerError = error;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && permanent !== false && responseCode !== 530;
}
