import type { CustomFilter } from '../../../kernel/declare/fields/options.js';
import type { Param } from '../../../kernel/declare/row.js';

/** Returns an SQL query for the IDs of the records that a user is registered for. `user` is an SQL expression for the user's ID. */
type RegisteredIdsQuery = (user: string, param: Param) => string;

/** Query for the events that the user has entered. */
export const entriesIn: RegisteredIdsQuery = (user, { table }) =>
  `select e.event_id as id from ${table('event_registration')} e where e.user_id = ${user}`;

/** Query for the tournaments that the user has a registration for. */
export const registrationsFor: RegisteredIdsQuery = (user, { table }) =>
  `select e.tournament_id as id from ${table('registration')} e where e.user_id = ${user}`;

/** Query for the tournaments in which the user has entered an event. Entries can lack a registration. */
export const entriesAt: RegisteredIdsQuery = (user, { table }) =>
  `select v.tournament_id as id from ${table('event_registration')} e join ${table('tournament_event')} v on v.id = e.event_id where e.user_id = ${user}`;

/** Creates a filter for the records that at least one of the queries returns for the signed-in user. */
export const registeredFilter = (queries: readonly RegisteredIdsQuery[]): CustomFilter => ({
  type: () => Boolean,
  description: 'Whether the signed-in user is registered. False without a user token.',
  sql(value: boolean, param, { user }) {
    const callerId = param(user?.id ?? null);
    const conditions = queries.map(
      (query) => `exists (select from (${query(callerId, param)}) own where own.id = ${param.row}.id)`,
    );
    return `${value ? '' : 'not '}(${conditions.join(' or ')})`;
  },
});
