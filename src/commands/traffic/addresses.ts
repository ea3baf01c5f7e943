/** From the sign to the end of an address, also where it is encoded in a link. */
const hosts = /(?:@|%40)[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}/giu;
const ofBoxes = /[\p{L}\p{N}_.+'~-]/u;

/**
 * Changes the e-mail addresses of a text. What stands before the sign is looked for from there on: a pattern of the whole would take
 * minutes for megabytes of letters.
 */
export function changeAddresses(text: string, change: (address: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: host, index } of text.matchAll(hosts)) {
    let begin = index;
    while (begin > from && ofBoxes.test(text.charAt(begin - 1))) begin -= 1;
    // What is encoded ends with two digits, which are no part of a name.
    if (text[begin - 1] === '%' && index - begin > 2) begin += 2;
    if (begin >= index) continue;
    pieces.push(text.slice(from, begin), change(text.slice(begin, index + host.length)));
    from = index + host.length;
  }
  return pieces.join('') + text.slice(from);
}
