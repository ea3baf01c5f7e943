import { GraphError, graphClient, graphql } from 'courtside-sdk';
import { LegacyError, type TeamRecord, v1Client } from 'courtside-sdk/v1';

const [origin = '', platformToken = '', eventId = '', userId = ''] = process.argv.slice(2);
const v1 = v1Client({ origin, platformToken });
const graph = graphClient({ origin, platformToken });

/** The status and the words with which something was refused. */
const told = (error: unknown): string => {
  if (!(error instanceof LegacyError)) throw error;
  return `${error.status}: ${error.message}`;
};

const { payload } = await v1.postTeams({ body: { payload: { player_one_uuid: userId, event_uuid: eventId, seed: 4 } } });
const { result } = await v1.getDataTeamsUuid({ uuid: payload.uuid });
const team: TeamRecord = result;
const listed = await v1.getDataTeams({ event_uuid: eventId, page_size: 1 });
const total: string = listed.total_records;
const changed = await v1.putTeamsUuid({ uuid: team.uuid, body: { payload: { seed: 2 }, fieldsToOmit: ['event_uuid'] } });

const refused = [
  await v1.getDataTeamsUuid({ uuid: 'nobody' }).catch(told),
  await v1.getDataTeams({ page_size: -1 }).catch(told),
  await v1Client({ origin }).getDataTeams().catch(told),
];

// What the old call answers, and the graph behind it, are the same team.
const TeamOf = graphql('query TeamOf($id: ID!) { team(id: $id) { seed event { title } } }');
const { team: seen } = await graph.run(TeamOf, { id: team.uuid });
const Save = graphql('mutation Save($input: TeamInput!) { upsertTeam(input: $input) { id seed } }');
const saved = await graph.run(Save, { input: { id: team.uuid, seed: 7 } });
const wrongValue = await graph
  .run(graphql('query Many($first: Int) { teams(first: $first) { totalCount } }'), { first: 1000 })
  .catch((error: unknown) => (error instanceof GraphError ? error.problems : []));

const TeamChanges = graphql(
  'subscription TeamChanges($id: ID!, $after: String) { teams(tournamentId: $id, after: $after) { kind cursor team { seed } } }',
);
const Move = graphql('mutation Move($input: TeamInput!) { upsertTeam(input: $input) { tournamentId } }');
const { liveCursor } = await graph.run(graphql('query Here { liveCursor }'));
await graph.run(Move, { input: { id: team.uuid, tournamentId: 'live', seed: 8 } });
const live: unknown[] = [];
for await (const { teams } of graph.subscribe(TeamChanges, { id: 'live' }, { after: liveCursor })) {
  const seed: number | null | undefined = teams?.team?.seed;
  live.push([teams?.kind, seed]);
  if (live.length === 2) break;
  await graph.run(Move, { input: { id: team.uuid, seed: 9 } });
}

const gone = await v1.deleteTeamsUuid({ uuid: team.uuid });

console.log(
  JSON.stringify({
    team: [team.seed, team.event_uuid === eventId],
    total,
    changed: changed.payload.seed,
    refused,
    seen,
    saved: saved.upsertTeam?.seed,
    wrongValue,
    live,
    gone,
  }),
);

/** What must not compile. */
export async function wrong(): Promise<void> {
  // @ts-expect-error a value of the path that is needed
  await v1.getDataTeamsUuid();
  // @ts-expect-error a parameter that the operation does not have
  await v1.getDataTeams({ evnet_uuid: eventId });
  // @ts-expect-error a number where there must be one
  await v1.getDataTeams({ page_size: 'all of them' });
  // @ts-expect-error a field that the record does not have
  await v1.postTeams({ body: { payload: { sead: 4 } } });
  // @ts-expect-error the body of this one is wrapped
  await v1.postTeams({ body: { seed: 4 } });
  // @ts-expect-error a field that the answer does not have
  team.sead;
  // @ts-expect-error without a cursor one could not go on after a break
  graph.subscribe(graphql('subscription ($after: String) { changes(after: $after) { kind } }'));
  // @ts-expect-error a document that takes no cursor
  graph.subscribe(graphql('subscription { changes { kind cursor } }'));
  // @ts-expect-error a variable that is needed
  graph.subscribe(TeamChanges, {});
  // @ts-expect-error a field that the graph does not have
  graph.subscribe(graphql('subscription ($after: String) { changes(after: $after) { kind cursor sead } }'));
  // @ts-expect-error there is no such operation
  await v1.getTeam({ uuid: team.uuid });
}
