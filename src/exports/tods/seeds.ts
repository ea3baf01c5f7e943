import type { EventData, TeamData } from './documents.js';
import type { Participant, Participants } from './participants.js';

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
