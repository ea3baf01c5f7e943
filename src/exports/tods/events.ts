import { dateOn, type LocalTime } from '../dates.js';
import type { Entry, EventData, StandingData, TeamData } from './documents.js';
import type { Participants } from './participants.js';
import { withoutEmptyValues } from './without-empty-values.js';

type Type = 'SINGLES' | 'DOUBLES' | 'TEAM';
type Gender = 'FEMALE' | 'MALE' | 'MIXED' | 'ANY';

/** TODS event type and gender, keyed by format abbreviation. Other formats determine neither type nor gender. */
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

/** TODS gender, keyed by player group. */
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

/**
 * TODS entry statuses in ascending priority. A team has the highest status of its partners: if one partner has withdrawn, the team has
 * withdrawn.
 */
const statusPriority = ['REGISTERED', 'ALTERNATE', 'WITHDRAWN'];

/** Returns the TODS entry statuses, keyed by team ID. */
export function statusesOf(entries: readonly Entry[]): Map<string, string> {
  const statusByTeam = new Map<string, string>();
  for (const { teamId, status } of entries) {
    const todsStatus = status && statuses[status];
    if (!teamId || !todsStatus) continue;
    const previous = statusByTeam.get(teamId);
    if (previous === undefined || statusPriority.indexOf(todsStatus) > statusPriority.indexOf(previous))
      statusByTeam.set(teamId, todsStatus);
  }
  return statusByTeam;
}

/** Data about a tournament that is needed to build its events. */
interface EventContext {
  readonly teams: readonly TeamData[];
  readonly participants: Participants;
  readonly statuses: ReadonlyMap<string, string>;
  readonly standings: readonly StandingData[];
}

/** Builds a TODS event. Final standings are exported as an extension, because TODS supports them only in draws. */
export function eventOf(event: EventData, clock: LocalTime, { teams, participants, statuses, standings }: EventContext) {
  const { abbreviation = '' } = event.format ?? {};
  const format = formats[abbreviation];
  const group = event.playerGroup?.title ?? '';
  const entries = teams.flatMap(({ id, eventId, ranking }) => {
    const participant = eventId === event.id ? participants.participantByTeam.get(id) : undefined;
    if (!participant) return [];
    const isUnpaired = participant.isSinglePlayer && format?.type === 'DOUBLES';
    return [
      {
        participantId: participant.participantId,
        ...withoutEmptyValues({ entryStatus: statuses.get(id) ?? (isUnpaired ? 'UNPAIRED' : null), entryPosition: ranking }),
      },
    ];
  });
  const finalStandings = standings.flatMap(({ eventId, teamId, finalRanking }) => {
    const participant = eventId === event.id && teamId ? participants.participantByTeam.get(teamId) : undefined;
    return participant && finalRanking ? [{ participantId: participant.participantId, finishingPosition: finalRanking }] : [];
  });
  const category = withoutEmptyValues({ categoryName: [group, event.bracketLevel?.title].filter(Boolean).join(' ') });
  return {
    eventId: event.id,
    ...withoutEmptyValues({
      eventName: event.title,
      eventType: format?.type,
      gender: groups[group] ?? format?.gender,
      category: 'categoryName' in category ? category : null,
      startDate: event.startsAt && dateOn(event.startsAt, clock),
      entries,
      extensions: [
        ...(finalStandings.length
          ? [{ name: 'finalStandings', value: finalStandings.sort((a, b) => a.finishingPosition - b.finishingPosition) }]
          : []),
        ...(event.isCanceled ? [{ name: 'isCanceled', value: true }] : []),
      ],
    }),
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  };
}
