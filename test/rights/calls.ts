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
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { expect } from 'vitest';
import type { TestApp, Tokens } from '../support/app.js';
import { type Cast, freshToken } from './callers.js';
import { freshRow } from './rows.js';

export type Field = GraphQLField<unknown, unknown>;

/** A service, and those who call it. */
export interface House {
  app: TestApp;
  cast: Cast;
}

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
async function sample(house: House, name: string, type: GraphQLInputType, of: string): Promise<unknown> {
  const bare = getNullableType(type);
  if (isListType(bare)) return [await sample(house, name, bare.ofType, of)];
  if (isEnumType(bare)) return name === 'type' && bare.name === 'ApprovalItemType' ? 'BIOGRAPHY' : bare.getValues()[0]?.name;
  if (isInputObjectType(bare)) {
    const entries = Object.values(bare.getFields())
      .filter(isRequiredInputField)
      .map(async (field) => [field.name, await sample(house, field.name, field.type, of)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  if (name === 'token') return freshToken(house.app.sql, house.cast.owner);
  if (name === 'id') return freshRow(house.app.sql, of, house.cast.owner.id);
  const owned = idsOf[name];
  if (owned) return freshRow(house.app.sql, owned, house.cast.owner.id);
  return { Boolean: true, Int: 1, Float: 1, Instant: '2030-01-01T00:00:00Z' }[getNamedType(type).name] ?? texts[name] ?? 'x';
}

/** Ids of the owner's rows are given wherever there is room for one, so that somebody else's call is one on the owner's row. */
const isGiven = (argument: GraphQLArgument): boolean =>
  isRequiredArgument(argument) || argument.name === 'userId' || argument.name === 'token';

/**
 * Calls a mutation on the owner's row, fresh as it is; the first error of the answer, empty where there is none. A mutation that did it to
 * another row instead gives that row's id as one.
 */
export async function callOf(house: House, field: Field, tokens: Tokens): Promise<string> {
  const type = getNamedType(field.type);
  const of = field.name.endsWith('Item') && type.name === 'ApprovalStatus' ? 'Biography' : type.name;
  const args = field.args.filter(isGiven);
  const variables: Record<string, unknown> = {};
  for (const { name, type: wanted } of args) variables[name] = await sample(house, name, wanted, of);
  // Others erase somebody whom nobody needs any more.
  if (field.name === 'eraseUser' && tokens.user !== house.cast.owner.user) variables.id = (await house.app.person()).id;
  if (field.name.startsWith('upsert')) variables.input = { id: await freshRow(house.app.sql, of, house.cast.owner.id) };
  const heads = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const call = `${field.name}${args.length ? `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})` : ''}`;
  const hasId = isObjectType(type) && 'nodeId' in type.getFields();
  const text = `mutation${heads && ` (${heads})`} { done: ${call}${isLeafType(type) ? '' : ` { __typename ${hasId ? 'id' : ''} }`} }`;
  const { errors = [], done } = await house.app.graphql(text, variables, tokens);
  const [error = ''] = errors as string[];
  expect(error, `${text} ${JSON.stringify(variables)}`).not.toMatch(/Variable|INTERNAL/);
  const { id = variables.id } = (variables.input ?? {}) as { id?: unknown };
  return hasId && !error && id !== undefined && done && done.id !== id ? `another: ${done.id}` : error;
}
