import type { Message } from './ports.js';

/** Maximum number of characters to search, because the patterns take quadratic time. */
const maxSearchedLength = 2000;

/**
 * Removes links, codes and addresses from an error message, so that it can be stored, logged and shown. Mail servers quote rejected
 * messages in their errors.
 */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .slice(0, maxSearchedLength)
    .replace(/\s+/g, ' ')
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<link>')
    .replace(/[^\s<>"'@]+@/g, '…@')
    .replace(/[\w-]{24,}|\d{6,}/g, '…')
    .slice(0, 300)
    .toWellFormed();
}

/** Returns the domain of an email recipient, or `phone`. Nothing else about recipients is logged. */
export const domainOf = (message: Pick<Message, 'kind' | 'to'>): string =>
  message.kind === 'mail' ? message.to.slice(message.to.lastIndexOf('@') + 1).replace(/[^\w.-]/g, '?') : 'phone';
