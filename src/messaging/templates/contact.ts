import type { Mail } from '../message.js';
import { quoted, unlinked } from '../quoted.js';
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

/** Mail to the operators with the full text of a contact form, without links. Replies go to the visitor. */
export function contactMail({ to, reason, details, name, email, phone, platform, tournament }: Contact): Mail {
  const facts = {
    Name: name && quoted(name),
    'E-mail': email,
    Phone: phone && quoted(phone),
    Platform: platform && quoted(platform),
    Tournament: tournament && quoted(tournament),
  };
  const known = Object.entries(facts).flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return letter({
    to,
    subject: `Contact: ${reason}`,
    paragraphs: [unlinked(details), known.join('\n')].filter(Boolean),
    replyTo: email || undefined,
  });
}
