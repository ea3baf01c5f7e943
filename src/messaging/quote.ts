/** Maximum length of a quoted text in characters. */
const maxQuoteLength = 80;

/** Characters within a word that mail programs recognize as part of a link: dots of host names, colons, slashes and `@`. */
const linkCharacters = /([.\u3002\uff0e\uff61:/@])(?=\S)/g;

/** Invisible character that prevents mail programs from recognizing a link. */
const wordJoiner = '\u2060';

/** Disables links in text that a user wrote: mail programs no longer recognize them. */
export const withoutLinks = (text: string): string => text.replace(linkCharacters, `$1${wordJoiner}`);

/** Truncates a text to `maxLength` characters. */
export function truncateText(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text;
}

/**
 * Prepares a user's text for use in a message to another person: puts it on one line, truncates it, and disables links. Must not be used in
 * a subject, because recipients attribute the subject to the service.
 */
export function quotedText(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return withoutLinks(truncateText(line, maxQuoteLength));
}
