const atSigns = /@|%40/gi;
const notInHosts = /[^\p{L}\p{N}_.-]/gu;
const twoLetters = /\p{L}{2}/uy;
const notLetter = /\P{L}/gu;
const ofBoxes = /[\p{L}\p{N}_.+'~-]/u;

/** The position of the first match of a global pattern from a position on, or the length of the text. */
function indexFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function startsWithTwoLetters(text: string, at: number): boolean {
  twoLetters.lastIndex = at;
  return twoLetters.test(text);
}

/**
 * The end of the host name at the start of a text, or 0: labels with dots between them, of which the last starts with two letters. A pattern
 * for all labels would need a stack entry for each and fail for megabytes of them.
 */
function endOfHost(text: string): number {
  if (text.startsWith('.')) return 0;
  const emptyLabel = text.indexOf('..');
  const labels = emptyLabel < 0 ? text : text.slice(0, emptyLabel);
  for (let dot = labels.lastIndexOf('.'); dot > 0; dot = labels.lastIndexOf('.', dot - 1))
    if (startsWithTwoLetters(labels, dot + 1)) return indexFrom(labels, notLetter, dot + 1);
  return 0;
}

/**
 * Changes the e-mail addresses of a text. What stands before the sign is looked for from there on: a pattern of the whole would take
 * minutes for megabytes of letters.
 */
export function changeAddresses(text: string, change: (address: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(atSigns)) {
    const hostAt = index + sign.length;
    const end = hostAt + endOfHost(text.slice(hostAt, indexFrom(text, notInHosts, hostAt)));
    if (end === hostAt) continue;
    let begin = index;
    while (begin > from && ofBoxes.test(text.charAt(begin - 1))) begin -= 1;
    // What is encoded ends with two digits, which are no part of a name.
    if (text[begin - 1] === '%' && index - begin > 2) begin += 2;
    if (begin >= index) continue;
    pieces.push(text.slice(from, begin), change(text.slice(begin, end)));
    from = end;
  }
  return pieces.join('') + text.slice(from);
}
