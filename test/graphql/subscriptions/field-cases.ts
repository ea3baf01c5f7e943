import { type GraphQLObjectType, getNamedType, isAbstractType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { graphOfModules } from '../../../src/graphql/graph.js';
import type { TestApp } from '../../support/servers/app.js';

/** Returns a selection of all fields of a type that have no required arguments, with related records up to a depth. */
function selectionOf(type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields()).flatMap((field): string[] => {
    if (field.args.some(isRequiredArgument)) return [];
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    if (isAbstractType(named)) return [`${field.name} { __typename }`];
    if (depth === 0 || !isObjectType(named) || field.args.length) return [];
    return [`${field.name} { ${selectionOf(named, depth - 1)} }`];
  });
  return fields.length ? fields.join(' ') : '__typename';
}

type Change = (app: TestApp) => Promise<unknown>;
const mutation =
  (text: string): Change =>
  (app) =>
    app.graphql(`mutation { ${text} }`);
const statement =
  (text: string): Change =>
  (app) =>
    app.sql.rows(text);

/** Test case for a field of Subscription. Fixtures: the tournament `cup` with a club and a team, and a game owned by Ana. */
export interface FieldCase {
  args: string;
  /** Caller of the subscription. Ana is the first user of the app. Ben is the second and has the role CONTENT_CONFIRMER. */
  subscriber: 'platform' | 'ana' | 'ben';
  /** A change that the subscriber must not receive. */
  hiddenChange?: Change;
  /** Changes that each send one event to the subscriber. */
  changes: Change[];
}

export const fieldCases: Readonly<Record<string, FieldCase>> = {
  tournament: {
    args: 'id: "other"',
    subscriber: 'platform',
    changes: [
      mutation('updateTournament(id: "other", input: { title: "Open" }) { id }'),
      mutation('updateTournament(id: "other", input: { clubId: null }) { id }'),
    ],
  },
  teams: {
    args: 'tournamentId: "cup"',
    subscriber: 'platform',
    changes: [
      mutation('upsertTeam(input: { id: "t1", tournamentId: "cup", seed: 1 }) { id }'),
      mutation('upsertTeam(input: { id: "t1", seed: 2 }) { id }'),
      mutation('deleteTeam(id: "t1") { id }'),
    ],
  },
  standings: {
    args: 'eventId: "e1"',
    subscriber: 'platform',
    changes: [mutation('upsertFinalStanding(input: { id: "s1", eventId: "e1", teamId: "team", finalRanking: 2 }) { id }')],
  },
  matches: {
    args: 'tournamentId: "cup"',
    subscriber: 'platform',
    changes: [
      mutation('upsertPrematch(input: { id: "p1", matchId: "match", coinTossTeamId: "team" }) { id }'),
      mutation('upsertPregame(input: { id: "g1", matchId: "match", gameNumber: 1 }) { id }'),
      mutation(`upsertTournamentReferee(input: { id: "r1", tournamentId: "cup", userId: "person-1" }) { id }`),
    ],
  },
  game: { args: 'id: "game"', subscriber: 'ana', changes: [statement(`update game set title = 'One' where id = 'game'`)] },
  notifications: {
    args: '',
    subscriber: 'ana',
    hiddenChange: statement(
      `insert into notification (id, user_id, event, content) values ('n2', 'person-2', 'GAME_CANCELED', 'not hers')`,
    ),
    changes: [
      statement(`insert into notification (id, user_id, event, content) values ('n1', 'person-1', 'GAME_CANCELED', 'text')`),
    ],
  },
  approvals: {
    args: '',
    subscriber: 'ben',
    changes: [statement(`insert into biography (id, user_id, approval_state) values ('b1', 'person-1', 'PENDING')`)],
  },
  changes: {
    args: 'records: ["League", "Team"]',
    subscriber: 'platform',
    changes: [
      mutation('upsertLeague(input: { id: "l1", title: "League" }) { id }'),
      mutation('upsertTeam(input: { id: "t2", seed: 1 }) { id }'),
    ],
  },
};

const root = graphOfModules().getSubscriptionType();
/** Names of the fields of Subscription. */
export const subscriptionFields: readonly string[] = Object.values(root?.getFields() ?? {}).map(({ name }) => name);
/** Returns a subscription to a field, with a selection of all fields of its events. */
export const subscriptionTo = (name: string, after?: string): string => {
  const type = getNamedType(root?.getFields()[name]?.type);
  const args = [fieldCases[name]?.args, ...(after ? [`after: "${after}"`] : [])].filter(Boolean).join(', ');
  return `subscription { ${name}${args && `(${args})`} { ${isObjectType(type) ? selectionOf(type, 2) : ''} } }`;
};
