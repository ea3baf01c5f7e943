import type { Person, TestApp } from './app.js';
import { at } from './tournaments.js';

// biome-ignore lint/suspicious/noExplicitAny: tests compare whole answers
type Answer = any;

let count = 0;

/** What players do about tournaments of a service, which starts later. */
export const entriesOf = (service: () => TestApp) => {
  const save = async (type: string, input: object): Promise<string> => {
    const mutation = `upsert${type.replace('TournamentEvent', 'Event')}`;
    const answer = await service().graphql(`mutation ($input: ${type}Input!) { ${mutation}(input: $input) { id } }`, { input });
    return answer[mutation].id;
  };
  const call = async (name: string, type: string, values: object, fields: string, who: Person): Promise<Answer> => {
    const [[argument = '', value] = []] = Object.entries(values);
    const answer = await service().graphql(
      `mutation ($value: ${type}) { ${name}(${argument}: $value) { ${fields} } }`,
      { value },
      { user: who.user },
    );
    return answer[name] ?? answer.errors;
  };
  return {
    save,
    /** An event of a tournament for which one can register; its id. */
    async open(event: object = {}, tournament: object = {}): Promise<string> {
      count += 1;
      const number = count;
      const tournamentId = `open-${number}`;
      await save('Tournament', {
        id: tournamentId,
        title: 'Austin Open',
        currencyRaw: 'USD',
        registrationOpensAt: at(-24),
        registrationClosesAt: at(24),
        startsAt: at(48),
        ...tournament,
      });
      return save('TournamentEvent', { id: `event-${number}`, tournamentId, title: 'Doubles', ...event });
    },
    register: (input: object, who: Person, fields = 'id') => call('registerTeam', 'RegisterTeamInput!', { input }, fields, who),
    confirm: (id: string, who: Person, fields = 'status') => call('confirmTeamInvitation', 'ID!', { id }, fields, who),
    decline: (id: string, who: Person, fields = 'status') => call('declineTeamInvitation', 'ID!', { id }, fields, who),
    withdraw: (id: string, who: Person, fields = 'id') => call('withdraw', 'ID!', { id }, fields, who),
    withdrawRegistration: (id: string, who: Person, fields = 'id') => call('withdrawRegistration', 'ID!', { id }, fields, who),
    checkout: (input: object, who: Person, fields = 'invoice { total }') =>
      call('checkout', 'CheckoutInput!', { input }, fields, who),
    /** The invitations that somebody sees. */
    async invitations(who: Person, fields = 'id'): Promise<Answer> {
      return (await service().graphql(`{ teamInvitations { nodes { ${fields} } } }`, {}, { user: who.user })).teamInvitations
        .nodes;
    },
    /** The entry and the registration of a player in an event; null without one. */
    entry: (eventId: string, { id }: Person) =>
      service().sql.row<{ id: string; registration: string }>(
        'select id, registration_id as registration from event_registration where event_id = $1 and user_id = $2',
        [eventId, id],
      ),
    /** What a person was told, oldest first. */
    async told(who: Person): Promise<string[]> {
      const rows = await service().sql.rows<{ text: string }>(
        `select event || ': ' || content as text from notification where user_id = $1 order by created_at, id`,
        [who.id],
      );
      return rows.map(({ text }) => text);
    },
    /** How many teams an event has. */
    teams: async (eventId: string) => (await service().sql.rows('select id from team where event_id = $1', [eventId])).length,
  };
};
