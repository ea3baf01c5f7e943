import slugify from '@sindresorhus/slugify';
import type { Graph } from '../../gateway/run.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Exported } from '../answer.js';
import { type Asking, ask, askAll } from '../asking.js';
import { type Clock, dateOn, dayAfter } from '../dates.js';
import { type AskedPlace, placeFields, whereItIs } from './place.js';
import { type CalendarEntry, calendarText } from './text.js';

const tournamentText = `query ($id: ID!) {
  tournament(id: $id) {
    id title detailsUrl startsAt endsAt isCanceled createdAt updatedAt version utcOffset timeZone { ianaName } ${placeFields}
  }
}`;

const eventsText = `query ($id: ID!, $after: String) {
  rows: events(filter: { tournamentId: { eq: $id }, startsAt: { isNull: false } }, first: 100, after: $after) {
    nodes { id title startsAt isCanceled createdAt updatedAt version }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Dated {
  readonly id: string;
  readonly title: string | null;
  readonly startsAt: string | null;
  readonly isCanceled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

interface DatedTournament extends Dated, AskedPlace {
  readonly endsAt: string | null;
  readonly detailsUrl: string | null;
  readonly utcOffset: number | null;
  readonly timeZone: { readonly ianaName: string } | null;
}

/** Start and end of a tournament. If it lasts several days, they are whole days in its time zone. */
function span(startsAt: string, endsAt: string | null, clock: Clock): Pick<CalendarEntry, 'starts' | 'ends'> {
  const [first, last] = [dateOn(startsAt, clock), endsAt && dateOn(endsAt, clock)];
  if (endsAt && last && last > first) return { starts: { date: first }, ends: { date: dayAfter(last) } };
  const isAfter = endsAt !== null && Date.parse(endsAt) > Date.parse(startsAt);
  return { starts: { instant: startsAt }, ends: isAfter ? { instant: endsAt } : null };
}

const entryOf = (kind: string, { id, createdAt, updatedAt, version, isCanceled }: Dated) => ({
  uid: `${id}@${kind}.courtside`,
  createdAt,
  updatedAt,
  sequence: version,
  status: isCanceled ? ('CANCELLED' as const) : ('CONFIRMED' as const),
});

/** Calendar of a tournament, with the start of each of its events. */
export function tournamentCalendar(graph: Graph) {
  return async (id: string, asking: Asking): Promise<Exported> => {
    const { tournament } = await ask<{ tournament: DatedTournament | null }>(graph.prepare(tournamentText), { id }, asking);
    if (!tournament) return fail('NOT_FOUND', `no tournament with the id ${id}`);
    const events = await askAll<Dated>(graph.prepare(eventsText), { id }, asking);
    const { startsAt, endsAt, timeZone, utcOffset, detailsUrl: url } = tournament;
    const title = tournament.title || 'Tournament';
    const place = { ...whereItIs(tournament), url };
    const clock = { timeZone: timeZone?.ianaName ?? null, utcOffset };
    const whole = startsAt
      ? [{ ...entryOf('tournaments', tournament), ...place, ...span(startsAt, endsAt, clock), summary: title }]
      : [];
    const parts = events.flatMap((event) => {
      const entry = entryOf('events', { ...event, isCanceled: event.isCanceled || tournament.isCanceled });
      const summary = [title, event.title].filter(Boolean).join(': ');
      return event.startsAt ? [{ ...entry, ...place, starts: { instant: event.startsAt }, summary }] : [];
    });
    return {
      type: 'text/calendar; charset=utf-8',
      file: `${slugify(title) || 'tournament'}.ics`,
      text: calendarText(title, [...whole, ...parts]),
      isKept: true,
    };
  };
}
