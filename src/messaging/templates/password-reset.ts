import type { Mail, Text } from '../message.js';
import { letter } from './letter.js';

/** The way to a new password, by mail. */
export const passwordResetMail = ({ to, link }: { to: string; link: string }): Mail =>
  letter({
    to,
    subject: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password for this address.'],
    action: { label: 'Choose a new password', link },
    closing: 'The link works once, within an hour. If you did not ask for it, ignore this mail: your password stays as it is.',
  });

/** The way to a new password, by text message: a code of six digits. */
export const passwordResetText = ({ to, code }: { to: string; code: string }): Text => ({
  kind: 'text',
  to,
  body: `${code} is your Courtside code. It works once, within 10 minutes. Share it with nobody.`,
});
