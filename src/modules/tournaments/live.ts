import { columnTopic, rowTopic } from '../../kernel/changes/index.js';
import { fail } from '../../kernel/declare/errors.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { createRecordChangeType } from '../../kernel/serve/change-types.js';
import { subscriptionField } from '../../kernel/serve/live-events.js';
import { FinalStanding } from './final-standing.js';
import { Team } from './players/team.js';
import { Tournament } from './tournament.js';

const TournamentChange = createRecordChangeType(Tournament);
const TeamChange = createRecordChangeType(Team);
const FinalStandingChange = createRecordChangeType(FinalStanding);

/** Subscriptions to changes to tournaments. */
export const liveFields = [
  subscriptionField<{ id: string }>({
    name: 'tournament',
    type: () => TournamentChange,
    description: 'Changes to a tournament. NOT_FOUND for an unknown ID.',
    policies: [visitor],
    ids: { id: 'ID of the tournament.' },
    topics: async ({ id }, { loaders }) => {
      if (!(await loaders.loadRow(Tournament, ['id'], id))) fail('NOT_FOUND', `no tournament with the id ${id}`);
      return [rowTopic('Tournament', id)];
    },
  }),
  subscriptionField<{ tournamentId: string }>({
    name: 'teams',
    type: () => TeamChange,
    description: 'Changes to the teams of a tournament: created, updated and deleted teams.',
    policies: [visitor],
    ids: { tournamentId: 'ID of the tournament.' },
    topics: ({ tournamentId }) => [columnTopic('Team', 'tournamentId', tournamentId)],
  }),
  subscriptionField<{ eventId: string }>({
    name: 'standings',
    type: () => FinalStandingChange,
    description: 'Changes to the final standings of an event.',
    policies: [visitor],
    ids: { eventId: 'ID of the event.' },
    topics: ({ eventId }) => [columnTopic('FinalStanding', 'eventId', eventId)],
  }),
];
