import slugify from '@sindresorhus/slugify';
import type { Graph } from '../../graphql/run.js';
import { fail } from '../../kernel/declare/errors.js';
import { dateOn, dayAfter, type LocalTime } from '../dates.js';
import { type ExportCaller, readAllPages, runQuery } from '../run-query.js';
import type { ExportContent } from '../send-export.js';
import { type CalendarEntry, calendarLocation, calendarText, type LocationData, locationFields, startAndEndOf } from './ical.js';

const tournamentQuery = `query ($id: ID!) {
  tournament(id: $id) {
    id title detailsUrl startsAt endsAt isCanceled createdAt updatedAt version utcOffset timeZone { ianaName } ${locationFields}
  }
}`;

const eventsQuery = `query ($id: ID!, $after: String) {
  rows: events(filter: { tournamentId: { eq: $id }, startsAt: { isNull: false } }, first: 100, after: $after) {
    nodes { id title startsAt isCanceled createdAt updatedAt version }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface EventData {
  readonly id: string;
  readonly title: string | null;
  readonly startsAt: string | null;
  readonly isCanceled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

interface TournamentData extends EventData, LocationData {
  readonly endsAt: string | null;
  readonly detailsUrl: string | null;
  readonly utcOffset: number | null;
  readonly timeZone: { readonly ianaName: string } | null;
}

/** Returns the start and end of a tournament. If it lasts several days, both are whole days in its time zone. */
function timesOf(startsAt: string, endsAt: string | null, clock: LocalTime): Pick<CalendarEntry, 'starts' | 'ends'> {
  const [first, last] = [dateOn(startsAt, clock), endsAt && dateOn(endsAt, clock)];
  if (endsAt && last && last > first) return { starts: { date: first }, ends: { date: dayAfter(last) } };
  return startAndEndOf(startsAt, endsAt);
}

const entryOf = (kind: string, { id, createdAt, updatedAt, version, isCanceled }: EventData) => ({
  uid: `${id}@${kind}.courtside`,
  createdAt,
  updatedAt,
  sequence: version,
  status: isCanceled ? ('CANCELLED' as const) : ('CONFIRMED' as const),
});

/** Returns a function that exports a tournament as a calendar. Each event of the tournament with a start time is also an entry. */
export function tournamentCalendar(graph: Graph) {
  return async (id: string, exportCaller: ExportCaller): Promise<ExportContent> => {
    const { tournament } = await runQuery<{ tournament: TournamentData | null }>(
      graph.prepare(tournamentQuery),
      { id },
      exportCaller,
    );
    if (!tournament) return fail('NOT_FOUND', `no tournament with the id ${id}`);
    const events = await readAllPages<EventData>(graph.prepare(eventsQuery), { id }, exportCaller);
    const { startsAt, endsAt, timeZone, utcOffset, detailsUrl: url } = tournament;
    const title = tournament.title || 'Tournament';
    const location = { ...calendarLocation(tournament), url };
    const clock = { timeZone: timeZone?.ianaName ?? null, utcOffset };
    const tournamentEntries = startsAt
      ? [{ ...entryOf('tournaments', tournament), ...location, ...timesOf(startsAt, endsAt, clock), summary: title }]
      : [];
    const eventEntries = events.flatMap((event) => {
      const entry = entryOf('events', { ...event, isCanceled: event.isCanceled || tournament.isCanceled });
      const summary = [title, event.title].filter(Boolean).join(': ');
      return event.startsAt ? [{ ...entry, ...location, starts: { instant: event.startsAt }, summary }] : [];
    });
    return {
      type: 'text/calendar; charset=utf-8',
      fileName: `${slugify(title) || 'tournament'}.ics`,
      text: calendarText(title, [...tournamentEntries, ...eventEntries]),
      isCacheable: true,
    };
  };
}
