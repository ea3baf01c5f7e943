import { ofRow, ofRowsWith } from '../../kernel/changes/index.js';
import { fail } from '../../kernel/declare/errors.js';
import { visitor } from '../../kernel/declare/policy.js';
import { changeOfOne } from '../../kernel/serve/change-types.js';
import { liveRoot } from '../../kernel/serve/live.js';
import { FinalStanding } from './final-standing.js';
import { Team } from './team.js';
import { Tournament } from './tournament.js';

const TournamentChange = changeOfOne(Tournament);
const TeamChange = changeOfOne(Team);
const FinalStandingChange = changeOfOne(FinalStanding);

/** What is told of tournaments as it changes. */
export const liveFields = [
  liveRoot<{ id: string }>({
    name: 'tournament',
    type: () => TournamentChange,
    description: 'Changes of one tournament. NOT_FOUND where none has the id.',
    policies: [visitor],
    ids: { id: 'Id of the tournament.' },
    topics: async ({ id }, { loaders }) => {
      if (!(await loaders.one(Tournament, ['id'], id))) fail('NOT_FOUND', `no tournament has the id ${id}`);
      return [ofRow('Tournament', id)];
    },
  }),
  liveRoot<{ tournamentId: string }>({
    name: 'teams',
    type: () => TeamChange,
    description: 'Changes of the teams of a tournament: those that enter, change and leave.',
    policies: [visitor],
    ids: { tournamentId: 'Id of the tournament.' },
    topics: ({ tournamentId }) => [ofRowsWith('Team', 'tournamentId', tournamentId)],
  }),
  liveRoot<{ eventId: string }>({
    name: 'standings',
    type: () => FinalStandingChange,
    description: 'Changes of the final standings of an event of a tournament.',
    policies: [visitor],
    ids: { eventId: 'Id of the event.' },
    topics: ({ eventId }) => [ofRowsWith('FinalStanding', 'eventId', eventId)],
  }),
];
