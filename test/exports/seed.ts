import type { TestApp } from '../support/servers/app.js';

/** Upserts a record through GraphQL. Throws an error if the response contains errors. */
export async function upsertRecord(app: TestApp, name: string, input: object): Promise<void> {
  const field = `upsert${name.replace(/^Tournament(?=Event)/, '')}`;
  const answer = await app.graphql(`mutation ($input: ${name}Input!) { ${field}(input: $input) { id } }`, { input });
  if (answer.errors || !answer[field]) throw new Error(JSON.stringify(answer));
}

export const austin = {
  id: 'austin',
  title: 'Austin Open',
  startsAt: '2027-03-06T05:30:00Z',
  endsAt: '2027-03-08T23:00:00Z',
  timeZone: 'America/Chicago',
  detailsUrl: 'https://example.com/austin',
  location: {
    venue: 'Town Courts',
    streetAddress: '1 Main St',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
    country: 'USA',
    latitude: 30.25,
    longitude: -97.75,
  },
};

/**
 * Creates a tournament with two events, a pair that plays in both, a player without a partner, a referee and a winner. Returns the IDs of
 * the three players.
 */
export async function seedAustin(app: TestApp): Promise<string[]> {
  const people = [
    await app.person({ firstName: 'Ana', lastName: 'Lopez' }),
    await app.person({ firstName: 'Bo', lastName: 'Chen' }),
    await app.person({ firstName: 'Cy', lastName: 'Diaz' }),
  ];
  const players = people.map(({ id }) => id);
  const [one, two, three] = players;
  await upsertRecord(app, 'Tournament', austin);
  await upsertRecord(app, 'TournamentEvent', {
    id: 'mixed',
    tournamentId: 'austin',
    title: 'Mixed 4.0',
    formatId: '5',
    playerGroupId: '3',
    bracketLevelId: '8',
    startsAt: '2027-03-07T15:00:00Z',
  });
  await upsertRecord(app, 'TournamentEvent', { id: 'doubles', tournamentId: 'austin', title: 'Open Doubles', formatId: '7' });
  await upsertRecord(app, 'Team', {
    id: 'first',
    tournamentId: 'austin',
    eventId: 'mixed',
    playerOneId: one,
    playerTwoId: two,
    seed: 1,
    ranking: 2,
  });
  await upsertRecord(app, 'Team', {
    id: 'again',
    tournamentId: 'austin',
    eventId: 'doubles',
    playerOneId: two,
    playerTwoId: one,
  });
  await upsertRecord(app, 'Team', { id: 'alone', tournamentId: 'austin', eventId: 'doubles', playerOneId: three });
  await upsertRecord(app, 'TournamentReferee', { id: 'duty', tournamentId: 'austin', userId: three });
  await upsertRecord(app, 'FinalStanding', { eventId: 'mixed', teamId: 'first', finalRanking: 1 });
  return players;
}
