import type { Mail, Text } from '../message.js';
import { truncateText, withoutLinks } from '../quote.js';
import { buildEmail } from './letter.js';

/** Maximum lengths in characters: of the text of an email, and of a title that a user wrote. */
const maxLength = { body: 5_000, title: 100 } as const;

/** Text message from a league to a player. It is changed so that phones do not turn parts of it into links. */
export const leagueText = ({ to, text }: { to: string; text: string }): Text => ({ kind: 'text', to, body: withoutLinks(text) });

interface LeagueMail {
  to: string;
  title: string;
  body: string;
  /**
   * Whether the title is used as the subject. A title that a user wrote becomes the first paragraph, because recipients attribute the
   * subject to the service.
   */
  isTitleSubject: boolean;
}

/** Email from a league to a player. The text is truncated, and changed so that mail programs do not turn parts of it into links. */
export function leagueMail({ to, title, body, isTitleSubject }: LeagueMail): Mail {
  const text = withoutLinks(truncateText(body, maxLength.body));
  return isTitleSubject
    ? buildEmail({ to, subject: title, paragraphs: [text] })
    : buildEmail({
        to,
        subject: 'A message from your league',
        paragraphs: [withoutLinks(truncateText(title, maxLength.title)), text].filter(Boolean),
      });
}
