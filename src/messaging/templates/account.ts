import type { Mail, Text } from '../message.js';
import { buildEmail } from './letter.js';

/** Email that is sent instead of a validation email, so that a registration does not reveal whether an address has an account. */
export const accountExistsMail = ({ to, link }: { to: string; link?: string }): Mail =>
  buildEmail({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'Someone, hopefully you, tried to register with this email address. You already have an account, so nothing has changed. You can sign in as usual.',
    ],
    action: link ? { label: 'Sign in or reset your password', link } : undefined,
    closing: 'If this was not you, you can ignore this email.',
  });

/** Email that asks the owner of an email address to confirm the address. */
export const emailValidationMail = ({ to, link }: { to: string; link: string }): Mail =>
  buildEmail({
    to,
    subject: 'Confirm your email address',
    paragraphs: ['Welcome to Courtside! Please confirm that this is your email address.'],
    action: { label: 'Confirm email address', link },
    closing: 'You can use the link once. It expires in 48 hours. If you did not register, you can ignore this email.',
  });

/** Email with a link to a page that resets the password. */
export const passwordResetMail = ({ to, link }: { to: string; link: string }): Mail =>
  buildEmail({
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
