import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Sent instead of a validation mail, so that a registration does not reveal whether an address has an account. */
export const accountExists = ({ to, link }: { to: string; link?: string }): Mail =>
  letter({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'Someone, hopefully you, tried to register with this email address. You already have an account, so nothing has changed. You can sign in as usual.',
    ],
    action: link ? { label: 'Sign in or reset your password', link } : undefined,
    closing: 'If this was not you, you can ignore this email.',
  });
