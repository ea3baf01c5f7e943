import { anyOf, expression, parameter, type SqlExpression, tableNamed } from '../../../kernel/declare/expression.js';
import type { CustomFilter } from '../../../kernel/declare/fields/options.js';

/** Returns an SQL query for the IDs of the records that a user is registered for. `user` is an SQL expression for the user's ID. */
type RegisteredIdsQuery = (user: SqlExpression) => SqlExpression;

/** Query for the events that the user has entered. */
export const enteredEventIds: RegisteredIdsQuery = (user) =>
  expression`select e.event_id as id from ${tableNamed('event_registration')} e where e.user_id = ${user}`;

/** Query for the tournaments that the user has a registration for. */
export const registeredTournamentIds: RegisteredIdsQuery = (user) =>
  expression`select e.tournament_id as id from ${tableNamed('registration')} e where e.user_id = ${user}`;

/** Query for the tournaments in which the user has entered an event. Entries can lack a registration. */
export const enteredTournamentIds: RegisteredIdsQuery = (user) =>
  expression`select v.tournament_id as id from ${tableNamed('event_registration')} e join ${tableNamed('tournament_event')} v on v.id = e.event_id where e.user_id = ${user}`;

/** Creates a filter for the records that at least one of the queries returns for the signed-in user. */
export const registeredFilter = (queries: readonly RegisteredIdsQuery[]): CustomFilter => ({
  type: () => Boolean,
  description: 'Whether the signed-in user is registered. False without a user token.',
  sql(value: boolean, row, { user }) {
    const callerId = parameter(user?.id ?? null);
    const isRegistered = anyOf(
      queries.map((query) => expression`exists (select from (${query(callerId)}) own where own.id = ${row}.id)`),
    );
    return value ? expression`(${isRegistered})` : expression`not (${isRegistered})`;
  },
});
