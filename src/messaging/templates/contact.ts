import type { Mail } from '../message.js';
import { quotedText, withoutLinks } from '../quote.js';
import { buildEmail } from './letter.js';

interface Contact {
  /** Email address of the operators. */
  to: string;
  reason: string;
  details: string;
  name?: string;
  email?: string;
  phone?: string;
  /** Names of the platform and the tournament that the visitor was viewing. */
  platform?: string;
  tournament?: string;
}

/** Creates the email that sends the content of a contact form to the operators. Links are disabled. Replies go to the visitor. */
export function contactMail({ to, reason, details, name, email, phone, platform, tournament }: Contact): Mail {
  const facts = {
    Name: name && quotedText(name),
    Email: email,
    Phone: phone && quotedText(phone),
    Platform: platform && quotedText(platform),
    Tournament: tournament && quotedText(tournament),
  };
  const lines = Object.entries(facts).flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return buildEmail({
    to,
    subject: `Contact: ${reason}`,
    paragraphs: [withoutLinks(details), lines.join('\n')].filter(Boolean),
    replyTo: email || undefined,
  });
}
