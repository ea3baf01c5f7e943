import type { Follower } from '../../../kernel/declare/fields/options.js';
import type { Row } from '../../../kernel/session.js';
import { templates } from '../../../messaging/ports.js';
import { memberColumns, membersOf } from '../groups/members.js';
import { mailColumns, mailInvited } from '../invitations/mail-invited.js';
import { formatStart } from '../times/format-start.js';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const timeFields = ['day', 'startsAt', 'endsAt', 'timeZone'];
const locationFields = ['venue', 'streetAddress', 'city', 'state', 'zip', 'country', 'latitude', 'longitude'].map(
  (field) => `location.${field}`,
);

/** Names of the changed properties, for mails. Mails omit the values, because users write them. */
const changedProperties = (before: Row, after: Row): string[] =>
  Object.entries({
    title: ['title'],
    time: timeFields,
    court: ['courtId'],
    place: locationFields,
    description: ['description'],
  }).flatMap(([name, fields]) => (fields.some((field) => before[field] !== after[field]) ? [name] : []));

/** Texts of the changes, such as `it is on another court`. */
function changeTexts(before: Row, after: Row): string[] {
  const changed = (...fields: string[]) => fields.some((field) => before[field] !== after[field]);
  const start = formatStart({ startsAt: textOf(after.startsAt), day: textOf(after.day), timeZone: textOf(after.timeZone) });
  const texts: (string | false)[] = [
    changed('title') && `it is called ${textOf(after.title) ?? 'nothing'} now`,
    changed(...timeFields) && (start ? `it is on ${start}` : 'its time is to be announced'),
    changed('courtId') && 'it is on another court',
    changed(...locationFields) && 'it is at another place',
    changed('description') && 'it has another description',
  ];
  return texts.filter((text) => text !== false);
}

/** Notifies players, waiting and invited users of a change, except the user who made it. Invited addresses get a mail. */
export const announceChange: Follower = {
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
        content: `${textOf(before.title) ?? 'A game'} has changed: ${changeTexts(before, after).join(', ')}.`,
        subject: { kind: 'GAME', id },
      },
    );
    const changes = changedProperties(before, after);
    if (game) await mailInvited(context, [game], (facts) => templates.gameChange({ ...facts, changes }));
  },
};
