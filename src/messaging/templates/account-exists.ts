import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Sent instead of a validation mail, so that a registration does not tell strangers who has an account. */
export const accountExists = ({ to, link }: { to: string; link?: string }): Mail =>
  letter({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'Somebody, hopefully you, tried to register with this address. It has an account already, so nothing was changed: simply sign in.',
    ],
    action: link ? { label: 'Sign in, or choose a new password', link } : undefined,
    closing: 'If this was not you, ignore this mail.',
  });
