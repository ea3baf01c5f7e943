import { schema } from './queues.js';

/** Deletes messages of some queues to the given recipients, or with a text that matches a regular expression. */
export const deleteMessages = `
  delete from ${schema}.job where name = any($1) and (lower(data->>'to') = any($2) or data::text ~* $3 or output::text ~* $3)`;
