import { createTransport } from 'nodemailer';
import type { Config } from '../../config.js';
import { reasonOf } from '../../messaging/without-secrets.js';
import { type Finding, notYet, right, wrong } from './finding.js';

const longest = 4_000;

/** Whether the mail server takes connections, greets, and lets in who is named. No mail is sent. */
export async function mailFindings({
  smtpUrl,
  databaseUrl,
  isProduction,
}: Pick<Config, 'smtpUrl' | 'databaseUrl' | 'isProduction'>): Promise<Finding[]> {
  if (smtpUrl === null) {
    if (isProduction) return [wrong('SMTP_URL is unset: nobody gets a mail', 'set SMTP_URL to a mail server.')];
    return [notYet(databaseUrl === null ? 'SMTP_URL is unset: mails are caught at /dev/mail' : 'SMTP_URL is unset: mails wait')];
  }
  const { hostname, port } = new URL(smtpUrl);
  const place = `${hostname}:${port || (smtpUrl.startsWith('smtps:') ? 465 : 587)}`;
  const transport = createTransport({
    url: smtpUrl,
    dnsTimeout: longest,
    connectionTimeout: longest,
    greetingTimeout: longest,
    socketTimeout: longest,
  });
  try {
    await transport.verify();
    return [right(`${place} greets, and lets us in`)];
  } catch (error) {
    return [wrong(`${place} cannot be used (${reasonOf(error)})`, 'correct SMTP_URL, or start that server.')];
  } finally {
    transport.close();
  }
}
