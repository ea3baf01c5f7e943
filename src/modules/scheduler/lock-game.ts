import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import type { Invited } from './invite.js';
import type { GameTimes } from './local-time.js';
import { manages } from './manages.js';
import type { Places } from './places.js';
import { visibleGames } from './visible-games.js';

/** What those who change or delete a game have to know of it. */
export interface LockedGame extends Places, Invited, GameTimes {
  [column: string]: unknown;
  title: string | null;
  ownerId: string | null;
  /** Everybody who plays, waits or is invited. */
  members: string[];
  /** As an occurrence of another game: that game, and the date there. */
  parentId: string | null;
  occursOn: string | null;
}

const columns = `r.title, r.owner_id as "ownerId", r.parent_id as "parentId", r.occurs_on as "occursOn",
  r.player_ids || r.waiting_ids || r.invited_ids || r.invited_by_email_ids as members,
  r.player_ids as "playerIds", r.waiting_ids as "waitingIds", r.max_players as "maxPlayers", r.has_waiting_list as "hasWaitingList",
  r.is_waiting_list_manual as "isWaitingListManual", r.invited_ids as "invitedIds", r.invited_addresses as "invitedAddresses",
  r.invited_by_email_ids as "invitedByEmailIds", r.day, r.starts_at as "startsAt", r.ends_at as "endsAt", r.local_day as "localDay",
  r.local_starts_at as "localStartsAt", r.local_ends_at as "localEndsAt", r.time_zone as "timeZone"`;

/** A game that the caller may change, locked until the end of the transaction: NOT_FOUND where they do not see it, FORBIDDEN for others. */
export async function lockGame({ caller, sql }: Context, id: string): Promise<LockedGame> {
  const values: unknown[] = [id];
  const visible = caller.user ? visibleGames(caller, (value) => `$${values.push(value)}`) : null;
  const game = await sql.row<LockedGame>(
    `select ${columns} from game r where r.id = $1 and ${visible ?? 'true'} for update`,
    values,
  );
  if (!game) return fail('NOT_FOUND', `no game with the id ${id}`);
  return manages(caller, game.ownerId) ? game : fail('FORBIDDEN', 'only for: the owner of the game');
}
