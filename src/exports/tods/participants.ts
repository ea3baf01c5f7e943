import type { EventData, Person, Referee, TeamData } from './documents.js';
import { withoutEmptyValues } from './without-empty-values.js';

const sexes = { F: 'FEMALE', M: 'MALE' } as const;

/** A TODS participant: a person or a pair. */
type Participant = ReturnType<typeof individualParticipant> | ReturnType<typeof pairParticipant>;

const nameOf = ({ firstName, lastName, nameSuffix }: Person): string =>
  [firstName, lastName, nameSuffix].filter(Boolean).join(' ');

function individualParticipant(participantId: string, role: 'COMPETITOR' | 'OFFICIAL', personId: string, person: Person | null) {
  return {
    participantId,
    participantType: 'INDIVIDUAL' as const,
    participantRole: role,
    ...withoutEmptyValues({ participantName: person && nameOf(person) }),
    person: {
      personId,
      ...withoutEmptyValues({
        standardGivenName: person?.firstName,
        standardFamilyName: person && [person.lastName, person.nameSuffix].filter(Boolean).join(' '),
        sex: person?.gender && sexes[person.gender],
      }),
    },
  };
}

function pairParticipant(participantId: string, members: readonly (Person | null)[], ids: readonly string[]) {
  return {
    participantId,
    participantType: 'PAIR' as const,
    participantRole: 'COMPETITOR' as const,
    ...withoutEmptyValues({
      participantName: members.every((member) => member !== null)
        ? members.map((member) => member.lastName || nameOf(member)).join('/')
        : null,
    }),
    individualParticipantIds: [...ids],
  };
}

/** Participants of a tournament, without duplicates. */
export interface Participants {
  readonly list: readonly Participant[];
  /** Participants, keyed by team ID. Teams without players are missing. */
  readonly participantByTeam: ReadonlyMap<string, { readonly participantId: string; readonly isSinglePlayer: boolean }>;
}

/**
 * Builds the participants of a tournament. The participant ID of a player is the user ID. The participant ID of a pair is the ID of its
 * first team. A pair that plays in several events is one participant. The participant ID of a referee is the ID of the assignment, because
 * referees may also play.
 */
export function participantsOf(teams: readonly TeamData[], referees: readonly Referee[]): Participants {
  const people = new Map<string, Participant>();
  const pairs = new Map<string, Participant>();
  const participantByTeam = new Map<string, { participantId: string; isSinglePlayer: boolean }>();
  for (const { id, playerOneId, playerTwoId, playerOne, playerTwo } of teams) {
    const slots = [
      [playerOneId, playerOne],
      [playerTwoId, playerTwo],
    ] as const;
    const players = new Map(slots.flatMap(([playerId, person]) => (playerId ? [[playerId, person] as const] : [])));
    for (const [playerId, person] of players)
      if (!people.has(playerId)) people.set(playerId, individualParticipant(playerId, 'COMPETITOR', playerId, person));
    const ids = [...players.keys()];
    const [singleId] = ids;
    if (ids.length === 2) {
      const pairKey = [...ids].sort().join('\n');
      const participant = pairs.get(pairKey) ?? pairParticipant(id, [...players.values()], ids);
      pairs.set(pairKey, participant);
      participantByTeam.set(id, { participantId: participant.participantId, isSinglePlayer: false });
    } else if (singleId !== undefined) participantByTeam.set(id, { participantId: singleId, isSinglePlayer: true });
  }
  const officials = referees.flatMap(({ id, userId, user }) =>
    userId ? [individualParticipant(id, 'OFFICIAL', userId, user)] : [],
  );
  return { list: [...people.values(), ...pairs.values(), ...officials], participantByTeam };
}

/** Returns the participants with their seeding in each event. */
export function withSeedings(
  { list, participantByTeam }: Participants,
  teams: readonly TeamData[],
  events: readonly { readonly eventId: EventData['id']; readonly eventType?: string }[],
): Participant[] {
  const types = new Map(events.map(({ eventId, eventType }) => [eventId, eventType]));
  const items = new Map<string, { itemType: string; itemValue: number; itemDate: string }[]>();
  for (const { id, eventId, seed, updatedAt } of teams) {
    const participant = participantByTeam.get(id);
    const type = eventId ? types.get(eventId) : undefined;
    if (!participant || !type || !seed) continue;
    const item = { itemType: `SCALE.SEEDING.${type}.${eventId}`, itemValue: seed, itemDate: updatedAt };
    items.set(participant.participantId, [...(items.get(participant.participantId) ?? []), item]);
  }
  return list.map((participant) => {
    const timeItems = items.get(participant.participantId);
    return timeItems ? { ...participant, timeItems } : participant;
  });
}
