import type { Caller, Graph, Operation } from '../../graphql/run.js';
import { fail } from '../../kernel/declare/errors.js';
import { anonymousCaller } from '../../kernel/declare/policy/caller.js';
import { dayAfter } from '../dates.js';
import { type ExportCaller, readAllPages, runQuery } from '../run-query.js';
import type { ExportContent } from '../send-export.js';
import { type CalendarEntry, calendarLocation, calendarText, type LocationData, locationFields, startAndEndOf } from './ical.js';

const userQuery = 'query ($id: ID!) { user(id: $id) { id firstName lastName } }';

const linkQuery = 'query ($userId: ID!, $token: String!) { isCalendarLinkOpen(userId: $userId, token: $token) }';

/** Query for the games that a user owns, plays in or is on the waiting list for. */
const gamesQuery = `query ($id: ID!, $since: Instant!, $after: String) {
  rows: games(
    filter: {
      archivedAt: { isNull: true }
      beginsAt: { gte: $since }
      or: [{ ownerId: { eq: $id } }, { playerIds: { has: $id } }, { waitingIds: { has: $id } }]
    }
    first: 100
    after: $after
  ) {
    nodes { id title description day startsAt endsAt createdAt updatedAt version waitingIds ${locationFields} }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface GameData extends LocationData {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly day: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly waitingIds: readonly string[];
}

/** Maximum age of games in the calendar, in milliseconds. */
const maxAgeMs = 365 * 86_400_000;

function timesOf({ startsAt, endsAt, day }: GameData): Pick<CalendarEntry, 'starts' | 'ends'> | null {
  if (startsAt) return startAndEndOf(startsAt, endsAt);
  return day ? { starts: { date: day }, ends: { date: dayAfter(day) } } : null;
}

function entryOf(game: GameData, userId: string): CalendarEntry[] {
  const times = timesOf(game);
  if (!times) return [];
  const { id, title, description, createdAt, updatedAt, version, waitingIds } = game;
  return [
    {
      uid: `${id}@games.courtside`,
      createdAt,
      updatedAt,
      sequence: version,
      ...times,
      ...calendarLocation(game),
      summary: title || 'Game',
      description,
      status: waitingIds.includes(userId) ? 'TENTATIVE' : 'CONFIRMED',
    },
  ];
}

/** Returns the caller for a calendar link: the user without roles, because a link gives access only to the calendar. */
const calendarLinkCaller = (id: string): Caller => ({
  ...anonymousCaller,
  user: { id, name: '', isSuperAdmin: false, roles: new Set() },
});

/**
 * Returns a function that exports the games of a user as a calendar. The calendar contains the games that the caller can read. If the
 * request uses a calendar link, the caller is the user.
 */
export function gamesCalendar(graph: Graph) {
  async function callerByLink(token: string, userId: string, { client }: ExportCaller): Promise<ExportCaller> {
    const link: Operation = graph.prepare(linkQuery);
    const { isCalendarLinkOpen } = await runQuery<{ isCalendarLinkOpen: boolean }>(
      link,
      { userId, token },
      { caller: anonymousCaller, client },
    );
    return isCalendarLinkOpen
      ? { caller: calendarLinkCaller(userId), client }
      : fail('UNAUTHENTICATED', 'token: expected the token of an active calendar link of this user', { field: 'token' });
  }

  return async (id: string, token: string | null, requestCaller: ExportCaller): Promise<ExportContent> => {
    const effectiveCaller = token === null ? requestCaller : await callerByLink(token, id, requestCaller);
    const gamesOperation = graph.prepare(gamesQuery);
    gamesOperation.authorize(effectiveCaller.caller);
    type GamesResult = { user: { id: string; firstName: string | null; lastName: string | null } | null };
    const { user } = await runQuery<GamesResult>(graph.prepare(userQuery), { id }, effectiveCaller);
    if (!user) return fail('NOT_FOUND', `no user with the id ${id}`);
    const earliestStart = new Date(Date.now() - maxAgeMs).toISOString();
    const games = await readAllPages<GameData>(gamesOperation, { id, since: earliestStart }, effectiveCaller);
    const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
    return {
      type: 'text/calendar; charset=utf-8',
      fileName: 'games.ics',
      text: calendarText(
        name ? `Games of ${name}` : 'Games',
        games.flatMap((game) => entryOf(game, id)),
      ),
    };
  };
}
