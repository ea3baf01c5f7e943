import { createGraphQLClient, GraphQLRequestError, graphql } from 'courtside-sdk';
import { createV1Client, LegacyError, type TeamRecord } from 'courtside-sdk/v1';

const [origin = '', platformToken = '', eventId = '', userId = ''] = process.argv.slice(2);
const v1 = createV1Client({ origin, platformToken });
const graph = createGraphQLClient({ origin, platformToken });

/** Returns the status and message of an error. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof LegacyError)) throw error;
  return `${error.status}: ${error.message}`;
};

const { payload } = await v1.postTeams({ body: { payload: { player_one_uuid: userId, event_uuid: eventId, seed: 4 } } });
const { result } = await v1.getDataTeamsUuid({ uuid: payload.uuid });
const team: TeamRecord = result;
const teamList = await v1.getDataTeams({ event_uuid: eventId, page_size: 1 });
const total: string = teamList.total_records;
const changedTeam = await v1.putTeamsUuid({ uuid: team.uuid, body: { payload: { seed: 2 }, fieldsToOmit: ['event_uuid'] } });

const errorMessages = [
  await v1.getDataTeamsUuid({ uuid: 'nobody' }).catch(messageOf),
  await v1.getDataTeams({ page_size: -1 }).catch(messageOf),
  await createV1Client({ origin }).getDataTeams().catch(messageOf),
];

// The graph returns the same team as `/v1`.
const TeamOf = graphql('query TeamOf($id: ID!) { team(id: $id) { seed event { title } } }');
const { team: graphTeam } = await graph.run(TeamOf, { id: team.uuid });
const Save = graphql('mutation Save($input: TeamInput!) { upsertTeam(input: $input) { id seed } }');
const savedTeam = await graph.run(Save, { input: { id: team.uuid, seed: 7 } });
const inputProblems = await graph
  .run(graphql('query Many($first: Int) { teams(first: $first) { totalCount } }'), { first: 1000 })
  .catch((error: unknown) => (error instanceof GraphQLRequestError ? error.problems : []));

const TeamChanges = graphql(
  'subscription TeamChanges($id: ID!, $after: String) { teams(tournamentId: $id, after: $after) { kind cursor team { seed } } }',
);
const Move = graphql('mutation Move($input: TeamInput!) { upsertTeam(input: $input) { tournamentId } }');
const { liveCursor } = await graph.run(graphql('query Here { liveCursor }'));
await graph.run(Move, { input: { id: team.uuid, tournamentId: 'live', seed: 8 } });
const events: unknown[] = [];
for await (const { teams } of graph.subscribe(TeamChanges, { id: 'live' }, { after: liveCursor })) {
  const seed: number | null | undefined = teams?.team?.seed;
  events.push([teams?.kind, seed]);
  if (events.length === 2) break;
  await graph.run(Move, { input: { id: team.uuid, seed: 9 } });
}

const deleteResponse = await v1.deleteTeamsUuid({ uuid: team.uuid });

console.log(
  JSON.stringify({
    team: [team.seed, team.event_uuid === eventId],
    total,
    changed: changedTeam.payload.seed,
    refused: errorMessages,
    seen: graphTeam,
    saved: savedTeam.upsertTeam?.seed,
    wrongValue: inputProblems,
    live: events,
    gone: deleteResponse,
  }),
);

/** Calls that must not compile. The function is never called. */
export async function invalidCalls(): Promise<void> {
  // @ts-expect-error a required path parameter is missing
  await v1.getDataTeamsUuid();
  // @ts-expect-error a parameter that the operation does not have
  await v1.getDataTeams({ evnet_uuid: eventId });
  // @ts-expect-error a text instead of a number
  await v1.getDataTeams({ page_size: 'all of them' });
  // @ts-expect-error a field that the record does not have
  await v1.postTeams({ body: { payload: { sead: 4 } } });
  // @ts-expect-error the record must be wrapped in `payload`
  await v1.postTeams({ body: { seed: 4 } });
  // @ts-expect-error a field that the response does not have
  team.sead;
  // @ts-expect-error the cursor is not selected, so the client could not resume
  graph.subscribe(graphql('subscription ($after: String) { changes(after: $after) { kind } }'));
  // @ts-expect-error the document has no variable for the cursor
  graph.subscribe(graphql('subscription { changes { kind cursor } }'));
  // @ts-expect-error a required variable is missing
  graph.subscribe(TeamChanges, {});
  // @ts-expect-error a field that the graph does not have
  graph.subscribe(graphql('subscription ($after: String) { changes(after: $after) { kind cursor sead } }'));
  // @ts-expect-error an unknown operation
  await v1.getTeam({ uuid: team.uuid });
}
