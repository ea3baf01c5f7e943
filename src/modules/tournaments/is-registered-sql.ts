import type { CustomFilter } from '../../kernel/declare/options.js';

/** Ids of what a user, the SQL of whose id is given, is registered for. */
type Registered = (user: string) => string;

/** Events, by the entries in them. */
export const entriesIn: Registered = (user) => `select e.event_id as id from event_registration e where e.user_id = ${user}`;

/** Tournaments, by the registrations for them. */
export const registrationsFor: Registered = (user) =>
  `select e.tournament_id as id from registration e where e.user_id = ${user}`;

/** Tournaments, by the entries in their events: an entry counts where no registration came with it. */
export const entriesAt: Registered = (user) =>
  `select v.tournament_id as id from event_registration e join tournament_event v on v.id = e.event_id where e.user_id = ${user}`;

/** Registered for it, as one of some tables tells: by the signed-in user, nobody without one. */
export const isRegistered = (by: readonly Registered[]): CustomFilter => ({
  type: () => Boolean,
  description: 'The signed-in user is registered for it; without one nobody is.',
  sql(wanted: boolean, param, { user }) {
    const me = param(user?.id ?? null);
    const one = by.map((of) => `exists (select from (${of(me)}) own where own.id = r.id)`);
    return `${wanted ? '' : 'not '}(${one.join(' or ')})`;
  },
});
