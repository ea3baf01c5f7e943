import type { Mail, Text } from '../message.js';
import { letter } from './letter.js';

/** Email with a link to a page that resets the password. */
export const passwordResetMail = ({ to, link }: { to: string; link: string }): Mail =>
  letter({
    to,
    subject: 'Reset your password',
    paragraphs: ['Someone, hopefully you, requested a new password for your Courtside account.'],
    action: { label: 'Choose a new password', link },
    closing:
      'You can use the link once. It expires in 1 hour. If you did not request it, you can ignore this email. Your password will not change.',
  });

/** Text message with a code of six digits that resets the password. */
export const passwordResetText = ({ to, code }: { to: string; code: string }): Text => ({
  kind: 'text',
  to,
  body: `${code} is your Courtside code to reset your password. It expires in 10 minutes. Do not share it with anyone.`,
});
