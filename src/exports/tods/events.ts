import { type Clock, dateOn } from '../dates.js';
import type { AskedEvent, AskedStanding, AskedTeam, Entry } from './documents.js';
import type { Participants } from './participants.js';
import { withoutGaps } from './without-gaps.js';

type Type = 'SINGLES' | 'DOUBLES' | 'TEAM';
type Gender = 'FEMALE' | 'MALE' | 'MIXED' | 'ANY';

/** What the formats of the reference data are in the standard, by their shorthand; the others leave open what is played. */
const formats: Readonly<Record<string, { type: Type; gender?: Gender }>> = {
  MS: { type: 'SINGLES', gender: 'MALE' },
  WS: { type: 'SINGLES', gender: 'FEMALE' },
  OS: { type: 'SINGLES', gender: 'ANY' },
  SK: { type: 'SINGLES' },
  MD: { type: 'DOUBLES', gender: 'MALE' },
  WD: { type: 'DOUBLES', gender: 'FEMALE' },
  XD: { type: 'DOUBLES', gender: 'MIXED' },
  OD: { type: 'DOUBLES', gender: 'ANY' },
  TM: { type: 'TEAM' },
};

/** For whom an event is, by the player group of the reference data. */
const groups: Readonly<Record<string, Gender>> = {
  Men: 'MALE',
  Women: 'FEMALE',
  Mixed: 'MIXED',
  Coed: 'ANY',
  Boys: 'MALE',
  Girls: 'FEMALE',
  'Senior Men': 'MALE',
  'Senior Women': 'FEMALE',
  'Senior Mixed': 'MIXED',
};

const statuses: Readonly<Record<string, string>> = { REGISTERED: 'REGISTERED', WAITLISTED: 'ALTERNATE', WITHDRAWN: 'WITHDRAWN' };

/** What of a team's entries counts most: who withdrew does not play, whatever the partner did. */
const weight = ['REGISTERED', 'ALTERNATE', 'WITHDRAWN'];

/** How each team's entry stands, where that is known. */
export function statusesOf(entries: readonly Entry[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { teamId, status } of entries) {
    const now = status && statuses[status];
    if (!teamId || !now) continue;
    const before = found.get(teamId);
    if (before === undefined || weight.indexOf(now) > weight.indexOf(before)) found.set(teamId, now);
  }
  return found;
}

/** What is known of all events: who plays in them, how that stands and ended. */
export interface Field {
  readonly teams: readonly AskedTeam[];
  readonly participants: Participants;
  readonly statuses: ReadonlyMap<string, string>;
  readonly standings: readonly AskedStanding[];
}

/** An event of the standard. Places are an extension of it: without draws the standard has no other room for them. */
export function eventOf(event: AskedEvent, clock: Clock, { teams, participants, statuses, standings }: Field) {
  const { abbreviation = '' } = event.format ?? {};
  const format = formats[abbreviation];
  const group = event.playerGroup?.title ?? '';
  const entries = teams.flatMap(({ id, eventId, ranking }) => {
    const participant = eventId === event.id ? participants.ofTeam.get(id) : undefined;
    if (!participant) return [];
    const isUnpaired = participant.isAlone && format?.type === 'DOUBLES';
    return [
      {
        participantId: participant.participantId,
        ...withoutGaps({ entryStatus: statuses.get(id) ?? (isUnpaired ? 'UNPAIRED' : null), entryPosition: ranking }),
      },
    ];
  });
  const places = standings.flatMap(({ eventId, teamId, finalRanking }) => {
    const participant = eventId === event.id && teamId ? participants.ofTeam.get(teamId) : undefined;
    return participant && finalRanking ? [{ participantId: participant.participantId, finishingPosition: finalRanking }] : [];
  });
  const category = withoutGaps({ categoryName: [group, event.bracketLevel?.title].filter(Boolean).join(' ') });
  return {
    eventId: event.id,
    ...withoutGaps({
      eventName: event.title,
      eventType: format?.type,
      gender: groups[group] ?? format?.gender,
      category: 'categoryName' in category ? category : null,
      startDate: event.startsAt && dateOn(event.startsAt, clock),
      entries,
      extensions: [
        ...(places.length
          ? [{ name: 'finalStandings', value: places.sort((a, b) => a.finishingPosition - b.finishingPosition) }]
          : []),
        ...(event.isCanceled ? [{ name: 'isCanceled', value: true }] : []),
      ],
    }),
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  };
}
