import type { IncomingMessage } from 'node:http';

/**
 * Node keeps the first of several Authorization headers and says nothing of the others; here they stay together, as other headers do, so
 * that two which contradict each other are not taken for one.
 */
export function joinDoubled({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.authorization === undefined) return;
  const isName = (text: string | undefined) => text?.toLowerCase() === 'authorization';
  const sent = rawHeaders.filter((_, index) => index % 2 === 1 && isName(rawHeaders[index - 1]));
  headers.authorization = sent.join(', ');
}
