import type { Caller } from '../../kernel/declare/caller.js';
import type { RecordOptions } from '../../kernel/declare/options.js';
import { permission } from '../../kernel/declare/policy.js';
import { visibleGames } from './visible-games.js';

type Visible = NonNullable<RecordOptions['visible']>;

const admin = permission('ADMIN');
/** Platforms and admins see all groups. */
export const seesAllGroups = (caller: Caller): boolean => caller.platform !== null || admin.maybe(caller);

/** Columns with the users in a game: players, waiting users and invited users. */
export const lists = ['player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids'];

/** SQL of a game of the group that meets a condition over the game, `g`. */
const some = (condition: string): string => `exists (select from game g where g.group_id = r.id and ${condition})`;

/** A private group is seen by who runs it and who sees one of its games, which name it; platforms and admins see all. */
export const visibleGroups: Visible = (caller, param) => {
  if (seesAllGroups(caller)) return null;
  const games = visibleGames(caller, param)?.replace(/\br\./g, 'g.') ?? 'true';
  return `(not r.is_private or r.owner_id = ${param(caller.user?.id ?? '')} or ${some(games)})`;
};

/** Lists have a private group for who runs it, and for its members: whose its games are, who plays in them, waits or is invited. */
export const listedGroups: Visible = (caller, param) => {
  if (seesAllGroups(caller)) return null;
  const me = param(caller.user?.id ?? '');
  const isIn = lists.map((list) => ` or g.${list} @> array[${me}]::text[]`).join('');
  return `(not r.is_private or r.owner_id = ${me} or ${some(`(g.owner_id = ${me}${isIn})`)})`;
};
