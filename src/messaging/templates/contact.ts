import type { Mail } from '../message.js';
import { letter } from './letter.js';

interface Contact {
  /** The operators' address. */
  to: string;
  reason: string;
  details: string;
  name?: string;
  email?: string;
  phone?: string;
  /** Names of what the writer came from. */
  platform?: string;
  tournament?: string;
}

/** What a visitor wrote into the contact form, to the operators; answers go to the visitor. */
export function contactMail({ to, reason, details, name, email, phone, platform, tournament }: Contact): Mail {
  const facts = { Name: name, 'E-mail': email, Phone: phone, Platform: platform, Tournament: tournament };
  const known = Object.entries(facts).flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return letter({
    to,
    subject: `Contact: ${reason}`,
    paragraphs: [details, known.join('\n')].filter(Boolean),
    replyTo: email || undefined,
  });
}
