import type { Example } from './example.js';

/** Example for admins. */
export const pendingApprovals: Example = {
  title: 'Pending approvals of all types, oldest first, and whether I may approve them',
  caller: 'admin',
  query: `query PendingApprovals {
  pendingApprovals(first: 10) {
    totalCount
    nodes {
      __typename
      id
      approval { state required }
      viewerCan { approve }
      ... on Sponsor { title users(first: 1) { nodes { lastName } } }
      ... on SponsorImage { url size }
      ... on UserImage { url type user { firstName lastName } }
      ... on Biography { text user { firstName lastName } }
    }
  }
}`,
};

/** Example for platforms. */
export const registerTeam: Example = {
  title: 'Register a player for an event (repeating the mutation updates the registration)',
  caller: 'platform',
  query: `mutation RegisterTeam($registration: RegistrationInput!, $team: TeamInput!, $entry: EventRegistrationInput!) {
  upsertRegistration(input: $registration) { id tournament { title } user { firstName lastName } }
  upsertTeam(input: $team) { id seed event { title } playerOne { firstName lastName } }
  upsertEventRegistration(input: $entry) { id team { id } registration { id createdBy } }
}`,
  variables: {
    registration: { id: 'my-registration', tournamentId: 'demo-tournament', userId: 'demo-user' },
    team: { id: 'my-team', tournamentId: 'demo-tournament', eventId: 'demo-event', playerOneId: 'demo-user', seed: 9 },
    entry: {
      id: 'my-entry',
      registrationId: 'my-registration',
      eventId: 'demo-event',
      teamId: 'my-team',
      userId: 'demo-user',
      status: 'REGISTERED',
    },
  },
};
