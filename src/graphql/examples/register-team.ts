import type { Example } from './example.js';

const ids = { registration: 'my-registration', entry: 'my-entry', team: 'my-team' };

export const registerTeam: Example = {
  title: 'Register a player for an event (repeating the mutation updates the registration)',
  caller: 'platform',
  query: `mutation RegisterTeam($registration: RegistrationInput!, $team: TeamInput!, $entry: EventRegistrationInput!) {
  upsertRegistration(input: $registration) { id tournament { title } user { firstName lastName } }
  upsertTeam(input: $team) { id seed event { title } playerOne { firstName lastName } }
  upsertEventRegistration(input: $entry) { id team { id } registration { id createdBy } }
}`,
  variables: {
    registration: { id: ids.registration, tournamentId: 'demo-tournament', userId: 'demo-user' },
    team: { id: ids.team, tournamentId: 'demo-tournament', eventId: 'demo-event', playerOneId: 'demo-user', seed: 9 },
    entry: {
      id: ids.entry,
      registrationId: ids.registration,
      eventId: 'demo-event',
      teamId: ids.team,
      userId: 'demo-user',
      status: 'REGISTERED',
    },
  },
};
