import type { Mail } from '../message.js';
import { letter } from './letter.js';

/** Asks the owner of an address to prove that it is theirs. */
export const emailValidation = ({ to, link }: { to: string; link: string }): Mail =>
  letter({
    to,
    subject: 'Confirm your e-mail address',
    paragraphs: ['Welcome to Courtside. Please confirm that this e-mail address is yours.'],
    action: { label: 'Confirm my address', link },
    closing: 'The link works once, within 48 hours. If you did not register, ignore this mail.',
  });
