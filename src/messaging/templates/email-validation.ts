import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Asks the owner of an email address to confirm it. */
export const emailValidation = ({ to, link }: { to: string; link: string }): Mail =>
  letter({
    to,
    subject: 'Confirm your email address',
    paragraphs: ['Welcome to Courtside! Please confirm that this is your email address.'],
    action: { label: 'Confirm email address', link },
    closing: 'You can use the link once. It expires in 48 hours. If you did not register, you can ignore this email.',
  });
