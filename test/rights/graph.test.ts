import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Caller, type Cast, castOf, freshToken, tableOf, type Verdict } from './callers.js';
import { freshRow } from './rows.js';

let app: TestApp;
let cast: Cast;
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
});
afterAll(() => app.close());

type Field = GraphQLField<unknown, unknown>;
const mutations: Field[] = Object.values(graphOfModules().getMutationType()?.getFields() ?? {});

/** What ids are of, by the names of arguments. */
const idsOf: Readonly<Record<string, string>> = {
  userId: 'User',
  gameId: 'Game',
  sponsorId: 'Sponsor',
  newsItemId: 'NewsItem',
  itemId: 'Biography',
  registrationId: 'Registration',
};
const texts: Readonly<Record<string, string>> = {
  email: 'somebody@example.com',
  roleId: '3',
  typeId: '1',
  password: 'a long enough password',
};

/** A value that the graph takes for an argument or a field, of the owner's where it is somebody's. */
async function sample(name: string, type: GraphQLInputType, of: string): Promise<unknown> {
  const bare = getNullableType(type);
  if (isListType(bare)) return [await sample(name, bare.ofType, of)];
  if (isEnumType(bare)) return name === 'type' && bare.name === 'ApprovalItemType' ? 'BIOGRAPHY' : bare.getValues()[0]?.name;
  if (isInputObjectType(bare)) {
    const entries = Object.values(bare.getFields())
      .filter(isRequiredInputField)
      .map(async (field) => [field.name, await sample(field.name, field.type, of)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  if (name === 'token') return freshToken(app.sql, cast.owner);
  if (name === 'id') return freshRow(app.sql, of, cast.owner.id);
  const owned = idsOf[name];
  if (owned) return freshRow(app.sql, owned, cast.owner.id);
  return { Boolean: true, Int: 1, Float: 1, Instant: '2030-01-01T00:00:00Z' }[getNamedType(type).name] ?? texts[name] ?? 'x';
}

/** Ids of the owner's rows are given wherever there is room for one, so that somebody else's call is one on the owner's row. */
const isGiven = (argument: GraphQLArgument): boolean =>
  isRequiredArgument(argument) || argument.name === 'userId' || argument.name === 'token';

async function verdict(field: Field, { tokens }: Caller): Promise<Verdict> {
  const type = getNamedType(field.type);
  const of = field.name.endsWith('Item') && type.name === 'ApprovalStatus' ? 'Biography' : type.name;
  const args = field.args.filter(isGiven);
  const variables: Record<string, unknown> = {};
  for (const { name, type: wanted } of args) variables[name] = await sample(name, wanted, of);
  if (field.name.startsWith('upsert')) variables.input = { id: await freshRow(app.sql, of, cast.owner.id) };
  const heads = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const call = `${field.name}${args.length ? `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})` : ''}`;
  const text = `mutation${heads && ` (${heads})`} { ${call}${isLeafType(type) ? '' : ' { __typename }'} }`;
  const { errors = [] } = await app.graphql(text, variables, tokens);
  const [error = ''] = errors as string[];
  expect(error, `${text} ${JSON.stringify(variables)}`).not.toMatch(/Variable|INTERNAL/);
  return error.startsWith('UNAUTHENTICATED') ? '401' : error.startsWith('FORBIDDEN') ? '403' : 'yes';
}

test('who may call which mutation', async () => {
  const rows: [string, Verdict[]][] = [];
  for (const field of mutations) {
    const verdicts: Verdict[] = [];
    for (const caller of cast.callers) verdicts.push(await verdict(field, caller));
    rows.push([field.name, verdicts]);
  }
  await expect(tableOf(rows, cast.callers)).toMatchFileSnapshot('graph.txt');
}, 120_000);
