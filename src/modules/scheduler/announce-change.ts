import type { Follower } from '../../kernel/declare/options.js';
import type { Row } from '../../kernel/session.js';
import { memberColumns, membersOf } from './members.js';
import { sayWhen } from './say-when.js';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const times = ['day', 'startsAt', 'endsAt', 'timeZone'];

/** What has changed, in words. */
function newsOf(before: Row, after: Row): string[] {
  const changed = (...fields: string[]) => fields.some((field) => before[field] !== after[field]);
  const when = sayWhen({ startsAt: textOf(after.startsAt), day: textOf(after.day), timeZone: textOf(after.timeZone) });
  const news: (string | false)[] = [
    changed('title') && `it is called ${textOf(after.title) ?? 'nothing'} now`,
    changed(...times) && (when ? `it is on ${when}` : 'its time is not known yet'),
    changed('courtId') && 'it is on another court',
    changed('description') && 'it has another description',
  ];
  return news.filter((part) => part !== false);
}

/** Tells everybody who plays in a game, waits for a place or is invited that it has changed, but not who changed it. */
export const announceChange: Follower = {
  of: ['title', ...times, 'courtId', 'description'],
  async follow(before, after, { caller, sql, services }) {
    const id = String(after.id);
    const game = await sql.first(sql.db.selectFrom('game').select(memberColumns).where('id', '=', id));
    await services.notify(
      sql,
      (game ? membersOf(game) : []).filter((member) => member !== caller.user?.id),
      {
        event: 'GAME_CHANGED',
        content: `${textOf(before.title) ?? 'A game'} has changed: ${newsOf(before, after).join(', ')}.`,
        subject: { kind: 'GAME', id },
      },
    );
  },
};
