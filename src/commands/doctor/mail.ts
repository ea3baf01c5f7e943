import { createTransport } from 'nodemailer';
import type { Config } from '../../config/index.js';
import { reasonOf } from '../../messaging/safe-reason.js';
import { type Finding, failedFinding, passedFinding, skippedFinding } from './finding.js';

/** Timeout in milliseconds of each connection step: DNS lookup, connecting, greeting, and each response. */
const timeout = 4_000;

/** Checks that the mail server accepts connections and the credentials in SMTP_URL. No email is sent. */
export async function mailFindings({
  smtpUrl,
  databaseUrl,
  isProduction,
}: Pick<Config, 'smtpUrl' | 'databaseUrl' | 'isProduction'>): Promise<Finding[]> {
  if (smtpUrl === null) {
    if (isProduction) return [failedFinding('SMTP_URL is not set, so no emails are sent', 'set SMTP_URL to a mail server.')];
    return [
      skippedFinding(
        databaseUrl === null
          ? 'SMTP_URL is not set: /dev/mail shows all emails'
          : 'SMTP_URL is not set: emails wait in the queue',
      ),
    ];
  }
  const { hostname, port } = new URL(smtpUrl);
  const server = `${hostname}:${port || (smtpUrl.startsWith('smtps:') ? 465 : 587)}`;
  const transport = createTransport({
    url: smtpUrl,
    dnsTimeout: timeout,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  });
  try {
    await transport.verify();
    return [passedFinding(`${server} accepts connections`)];
  } catch (error) {
    return [failedFinding(`${server} cannot be used (${reasonOf(error)})`, 'correct SMTP_URL, or start the mail server.')];
  } finally {
    transport.close();
  }
}
