import type { CustomFilter } from '../../kernel/declare/options.js';

/** Registered for it, as a table of entries tells: by the signed-in user, nobody without one. */
export const isRegistered = (table: string, column: string): CustomFilter => ({
  type: () => Boolean,
  description: 'The signed-in user is registered for it; without one nobody is.',
  sql: (wanted: boolean, param, { user }) =>
    `${wanted ? '' : 'not '}exists (select from ${table} e where e.${column} = r.id and e.user_id = ${param(user?.id ?? null)})`,
});
