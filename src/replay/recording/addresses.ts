const atSigns = /@|%40/gi;
const nonHostCharacters = /[^\p{L}\p{N}_.-]/gu;
const twoLetters = /\p{L}{2}/uy;
const nonLetters = /\P{L}/gu;
const mailboxCharacter = /[\p{L}\p{N}_.+'~-]/u;

/** Returns the position of the first match of a global pattern at or after `from`. If there is no match, returns the length of the text. */
function indexFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function startsWithTwoLetters(text: string, at: number): boolean {
  twoLetters.lastIndex = at;
  return twoLetters.test(text);
}

/**
 * Returns the end of the host name at the start of a text, or 0 if the text does not start with a host name. The last label of a host name
 * starts with two letters. A regular expression for the labels would need a stack entry for each label, and fail on megabytes of text.
 */
function endOfHost(text: string): number {
  if (text.startsWith('.')) return 0;
  const emptyLabel = text.indexOf('..');
  const labels = emptyLabel < 0 ? text : text.slice(0, emptyLabel);
  for (let dot = labels.lastIndexOf('.'); dot > 0; dot = labels.lastIndexOf('.', dot - 1))
    if (startsWithTwoLetters(labels, dot + 1)) return indexFrom(labels, nonLetters, dot + 1);
  return 0;
}

/**
 * Replaces the email addresses in a text. Searches for the mailbox backward from the @ sign, because a regular expression for the whole
 * address would take minutes for megabytes of letters.
 */
export function replaceAddresses(text: string, replacementOf: (address: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(atSigns)) {
    const hostAt = index + sign.length;
    const end = hostAt + endOfHost(text.slice(hostAt, indexFrom(text, nonHostCharacters, hostAt)));
    if (end === hostAt) continue;
    let start = index;
    while (start > from && mailboxCharacter.test(text.charAt(start - 1))) start -= 1;
    // The two digits after a percent sign are part of an encoded character, not of the mailbox.
    if (text[start - 1] === '%' && index - start > 2) start += 2;
    if (start >= index) continue;
    pieces.push(text.slice(from, start), replacementOf(text.slice(start, end)));
    from = end;
  }
  return pieces.join('') + text.slice(from);
}
