import type { Message } from './ports.js';

/** Maximum number of characters that are examined. The patterns take quadratic time. */
const maxExaminedLength = 2000;

/**
 * Returns an error message that is safe to store, log and show. Servers quote rejected messages, which contain one-time links,
 * codes and addresses.
 */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .slice(0, maxExaminedLength)
    .replace(/\s+/g, ' ')
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<link>')
    .replace(/[^\s<>"'@]+@/g, '…@')
    .replace(/[\w-]{24,}|\d{6,}/g, '…')
    .slice(0, 300);
}

/** Domain of a mail recipient, or `phone`. The only part of a recipient that is logged. */
export const domainOf = (message: Pick<Message, 'kind' | 'to'>): string =>
  message.kind === 'mail' ? message.to.slice(message.to.lastIndexOf('@') + 1).replace(/[^\w.-]/g, '?') : 'phone';
