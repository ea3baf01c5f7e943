import type { Message } from './ports.js';

/** Characters of a message that are read. The patterns take quadratic time. */
const mostRead = 2000;

/**
 * What went wrong, in a line that may be stored, logged and shown. Servers quote what they refuse, and what they refuse
 * holds one-time links, codes and addresses.
 */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .slice(0, mostRead)
    .replace(/\s+/g, ' ')
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<link>')
    .replace(/[^\s<>"'@]+@/g, '…@')
    .replace(/[\w-]{24,}|\d{6,}/g, '…')
    .slice(0, 300);
}

/** All that is told of a recipient: the domain of a mail, nothing of a phone number. */
export const domainOf = (message: Pick<Message, 'kind' | 'to'>): string =>
  message.kind === 'mail' ? message.to.slice(message.to.lastIndexOf('@') + 1).replace(/[^\w.-]/g, '?') : 'phone';
