import type { ChangeHook } from '../../../kernel/declare/fields/options.js';
import type { Row } from '../../../kernel/session.js';
import { nonEmptyString } from '../../../kernel/write/input-values.js';
import { templates } from '../../../messaging/ports.js';
import { mailColumns, mailInvitedAddresses } from '../invitations/mail-invited.js';
import { formatStart } from '../times/format-game.js';
import { memberColumns, membersOf } from './members.js';

const timeFields = ['day', 'startsAt', 'endsAt', 'timeZone'];
const locationFields = ['venue', 'streetAddress', 'city', 'state', 'zip', 'country', 'latitude', 'longitude'].map(
  (field) => `location.${field}`,
);

/**
 * Returns the names of the changed properties, for emails. Emails omit the new values, because these can contain any text that a user
 * entered.
 */
const changedProperties = (before: Row, after: Row): string[] =>
  Object.entries({
    title: ['title'],
    time: timeFields,
    court: ['courtId'],
    location: locationFields,
    description: ['description'],
  }).flatMap(([name, fields]) => (fields.some((field) => before[field] !== after[field]) ? [name] : []));

/** Returns sentences about the changes, such as `The court has changed.`. */
function changeSentences(before: Row, after: Row): string[] {
  const changed = (...fields: string[]) => fields.some((field) => before[field] !== after[field]);
  const title = nonEmptyString(after.title);
  const start = formatStart({
    startsAt: nonEmptyString(after.startsAt),
    day: nonEmptyString(after.day),
    timeZone: nonEmptyString(after.timeZone),
  });
  const sentences: (string | false)[] = [
    changed('title') && (title ? `The new title is ${title}.` : 'The title was removed.'),
    changed(...timeFields) && (start ? `The new time is ${start}.` : 'The new time will be announced.'),
    changed('courtId') && 'The court has changed.',
    changed(...locationFields) && 'The location has changed.',
    changed('description') && 'The description has changed.',
  ];
  return sentences.filter((sentence) => sentence !== false);
}

/** Notifies players, waiting users and invited users of a change, except the user who made it. Invited addresses get an email. */
export const announceChange: ChangeHook = {
  columns: ['title', ...timeFields, 'courtId', ...locationFields, 'description'],
  async onChange(before, after, context) {
    const { caller, sql, services } = context;
    const id = String(after.id);
    const game = await sql.first(
      sql.db
        .selectFrom('game')
        .select([...memberColumns, ...mailColumns])
        .where('id', '=', id),
    );
    await services.notify(
      sql,
      (game ? membersOf(game) : []).filter((member) => member !== caller.user?.id),
      {
        event: 'GAME_CHANGED',
        content: [`${nonEmptyString(before.title) ?? 'A game'} has changed.`, ...changeSentences(before, after)].join(' '),
        subject: { kind: 'GAME', id },
      },
    );
    const changes = changedProperties(before, after);
    if (game) await mailInvitedAddresses(context, [game], (facts) => templates.gameChangeMail({ ...facts, changes }));
  },
};
