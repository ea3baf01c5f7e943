import { module } from '../../kernel/serve/module.js';
import { BulkResolver } from './bulk-resolver.js';
import { withdrawalDeletedIdsFields } from './deleted-ids.js';
import { EventCurrency, legacyEventCurrency } from './entries/event-currency.js';
import { EventRegistration } from './entries/event-registration.js';
import { Registration } from './entries/registration.js';
import { FinalStanding } from './final-standing.js';
import { indirectRelations } from './indirect-relations.js';
import { TeamInvitation } from './invitations/team-invitation.js';
import { liveFields } from './live.js';
import { PlayerResolver } from './players/player-resolver.js';
import { Team } from './players/team.js';
import { GoverningBodyApproval, Sanction } from './sanction.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';
import { TournamentReferee } from './tournament-referee.js';
import { TournamentResolver } from './tournament-resolver.js';
import { ScoreCard, TitleSponsor, TournamentContact } from './tournament-values.js';
import { TeamViewerFields, TournamentEventViewerFields, TournamentViewerFields } from './viewer-fields.js';

/** Tournaments with their events, teams, referees, registrations and standings (sections 2.1, 2.7, 2.11 and 2.14). */
export const tournaments = module({
  name: 'tournaments',
  description: 'Tournaments with their events, teams, referees, registrations and final standings.',
  messages: true,
  records: [Tournament, TournamentEvent, Team, TournamentReferee, Registration, EventRegistration, TeamInvitation, FinalStanding],
  values: [TournamentContact, ScoreCard, TitleSponsor, Sanction, GoverningBodyApproval],
  resolvers: [
    TournamentResolver,
    TournamentViewerFields,
    TournamentEventViewerFields,
    EventCurrency,
    legacyEventCurrency,
    TeamViewerFields,
    BulkResolver,
    PlayerResolver,
    ...withdrawalDeletedIdsFields,
    ...indirectRelations,
    ...liveFields,
  ],
  actions: [
    {
      name: 'register',
      description:
        'Whether the signed-in user can register. For an event: registration is open, the event has a free place, and the user is eligible and has not entered yet. For a tournament: this applies to at least one of its events. False for other types.',
    },
    {
      name: 'withdraw',
      description:
        'Whether the signed-in user can withdraw the registration or event registration: it is their own, and the tournament has not started. False for other types.',
    },
  ],
});
