import type { Outbox } from './ports.js';

const silent = () => Promise.reject(new Error('a module leaves messages and does not say so in its manifest'));
/** For a process none of whose modules says that it leaves messages. */
export const noOutbox: Outbox = { enqueue: silent, enqueueAll: silent, enqueuePermitted: silent, forget: silent };
