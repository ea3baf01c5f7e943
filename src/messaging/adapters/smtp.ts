import type { NodemailerError } from 'nodemailer';
import type { Mail } from '../ports.js';
import { Refusal, type Send } from '../sender.js';

/** Addresses that can be put into a header and an envelope as they are: one recipient, no quoting, no white space. */
const bareAddress = /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}]+$/u;

/** Sends mails through an SMTP server, each over a connection of its own, so that none is requeued behind our back. */
export function smtp(url: string, from: string): Send<Mail> {
  const open = async () =>
    (await import('nodemailer')).createTransport({
      url,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 15_000,
      socketTimeout: 60_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let transport: ReturnType<typeof open> | undefined;
  return async (mail, { id, signal }) => {
    if (!bareAddress.test(mail.to)) throw new Refusal('the recipient is not an e-mail address');
    const { to, subject, text, html } = mail;
    const replyTo = mail.replyTo && bareAddress.test(mail.replyTo) ? { name: '', address: mail.replyTo } : undefined;
    // A mail sent twice by an accident of the network carries the same Message-ID, by which mailboxes recognise it.
    const messageId = `<${id}@courtside>`;
    try {
      transport ??= open();
      await (await transport).sendMail({ from, to: { name: '', address: to }, replyTo, subject, text, html, messageId, signal });
      return 'sent';
    } catch (error) {
      throw isFinal(error) ? new Refusal(error.message) : error;
    }
  };
}

/**
 * Whether the server refused this message (5xx to its envelope or its content). Refused logins and greetings, and 530 for
 * a missing login, are faults of the configuration: they pass when it is mended.
 */
function isFinal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, permanent, responseCode }: NodemailerError = error;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && permanent !== false && responseCode !== 530;
}
