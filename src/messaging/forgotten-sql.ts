import { schema } from './queues.js';

/** Deletes the messages of these queues to some recipients, or with a text that a regular expression finds. */
export const forgotten = `
  delete from ${schema}.job where name = any($1) and (lower(data->>'to') = any($2) or data::text ~* $3 or output::text ~* $3)`;
