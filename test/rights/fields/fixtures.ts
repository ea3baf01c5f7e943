import { recordNamed } from '../../../src/kernel/declare/meta.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import type { Person, TestApp } from '../../support/servers/app.js';
import type { Cast } from '../callers.js';
import { freshRow, insertRow } from '../rows.js';

/** Rows that the calls of a permission matrix act on. Tournaments are open for registration. */
export interface Fixtures {
  /** Another user. Callers try to refer to the rows of this user. */
  readonly stranger: Person;
  /** Event in which the owner has an entry. */
  readonly eventId: string;
  /** Returns the ID of a fresh row of the owner. */
  rowOfOwner(type: string): Promise<string>;
  /** Returns the ID of a row of the stranger. The owner has no entry in the returned tournament or event. */
  rowOfStranger(type: string): Promise<string>;
  /** Whether rows of a type, such as teams and registrations, belong to an entry of a player. */
  isEntry(type: string): boolean;
  /** Deletes all entries, registrations and teams. */
  clear(): Promise<void>;
}

interface Opened {
  readonly tournamentId: string;
  readonly eventId: string;
}

export async function fixturesOf(app: TestApp, { owner }: Cast): Promise<Fixtures> {
  const { sql } = app;
  const stranger = await app.person({ firstName: 'Sam' });
  const open = async (): Promise<Opened> => {
    const eventId = await entriesOf(() => app).open({ fee: '30' }, { registrationFee: '10' });
    const row = await sql.row<{ id: string }>('select tournament_id as id from tournament_event where id = $1', [eventId]);
    return { eventId, tournamentId: row?.id ?? '' };
  };
  const [own, other] = [await open(), await open()];

  /** Links a new registration to the owner's tournament, or a new entry to the owner's event. Returns its ID. */
  async function complete(type: string, id: string, { id: userId }: Person): Promise<string> {
    if (type === 'Registration')
      await sql.rows('update registration set tournament_id = $2 where id = $1', [id, own.tournamentId]);
    if (type !== 'EventRegistration') return id;
    const registrationId = await complete('Registration', await insertRow(sql, 'Registration', `${id}-registration`, userId), {
      id: userId,
      user: '',
    });
    await sql.rows('update event_registration set event_id = $2, registration_id = $3, status = 1 where id = $1', [
      id,
      own.eventId,
      registrationId,
    ]);
    return id;
  }

  return {
    stranger,
    eventId: own.eventId,
    rowOfOwner: async (type) => complete(type, await freshRow(sql, type, owner.id), owner),
    async rowOfStranger(type) {
      if (type === 'User') return stranger.id;
      if (type === 'Tournament') return other.tournamentId;
      if (type === 'TournamentEvent') return other.eventId;
      const { table } = optionsOf(recordNamed(type));
      return complete(type, await insertRow(sql, type, `${table}-of-stranger`, stranger.id), stranger);
    },
    isEntry: (type) => /^(Team|EventRegistration|Registration|Checkout)$/.test(type),
    async clear() {
      await sql.rows(
        `with entries as (delete from event_registration), registrations as (delete from registration) delete from team`,
      );
    },
  };
}
