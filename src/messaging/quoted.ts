/** Maximum number of characters of a quoted text. */
const longestQuote = 80;

/** Dots that browsers read as those of a host, colons, slashes and the sign in e-mail addresses, within a word. */
const partsOfLinks = /([.\u3002\uff0e\uff61:/@])(?=\S)/g;

/** Invisible, and part of no address: mail programs make no link of an address that it divides. */
const wordJoiner = '\u2060';

/** A text by a user in which mail programs find no links. */
export const unlinked = (text: string): string => text.replace(partsOfLinks, `$1${wordJoiner}`);

/** A text with at most `longest` characters. */
export function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

/**
 * Prepares a text by a user for a message to another person: on one line, shortened, and without links. Must not be used in a subject, because
 * recipients attribute the subject to the service.
 */
export function quoted(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return unlinked(shortened(line, longestQuote));
}
