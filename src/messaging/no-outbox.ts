import type { Outbox } from './ports.js';

const rejectMessage = () => Promise.reject(new Error('a module sends messages, but its manifest does not have `messages`'));
/** Outbox of a process without messaging modules. */
export const noOutbox: Outbox = {
  enqueue: rejectMessage,
  enqueueAll: rejectMessage,
  enqueuePermitted: rejectMessage,
  deleteMessagesAbout: rejectMessage,
};
