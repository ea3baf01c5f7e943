import type { Message } from './ports.js';

/** Database schema of pg-boss. */
export const queueSchema = 'jobs';
/** Message types. Each has a queue of the same name. */
export const messageKinds = ['mail', 'text'] as const satisfies Message['kind'][];
/** Queue of messages that were rejected or failed too often. Only an operator can retry them. */
export const deadLetterQueue = 'dead';
