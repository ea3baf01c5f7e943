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
import { policiesOf } from '../../src/kernel/declare/policy/policy.js';
import type { TestApp, Tokens } from '../support/servers/app.js';
import { type Cast, freshToken, restoreSessions } from './callers.js';
import { freshRow } from './rows.js';

export type Field = GraphQLField<unknown, unknown>;

/** The service under test and its callers. */
export interface CallTarget {
  app: TestApp;
  cast: Cast;
}

/** Whether the declared rights permit users without a role, or visitors with a publishable key. */
export const isOpenToUsers = ({ extensions }: Field): boolean =>
  (policiesOf(extensions) ?? []).some(
    ({ policyNames }) => policyNames.length === 0 || policyNames.includes('user') || policyNames.includes('publishable'),
  );

/** Record types that ID arguments refer to, keyed by argument name. */
const referencedTypes: Readonly<Record<string, string>> = {
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

/** Returns a valid value for an argument or an input field. IDs and tokens belong to the owner. */
export async function sampleValue(
  target: CallTarget,
  name: string,
  type: GraphQLInputType,
  recordType: string,
): Promise<unknown> {
  const { app, cast } = target;
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [await sampleValue(target, name, nullable.ofType, recordType)];
  if (isEnumType(nullable))
    return name === 'type' && nullable.name === 'ApprovalItemType' ? 'BIOGRAPHY' : nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) {
    const entries = Object.values(nullable.getFields())
      .filter(isRequiredInputField)
      .map(async (field) => [field.name, await sampleValue(target, field.name, field.type, recordType)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  if (name === 'token') return freshToken(app.sql, cast.owner);
  if (name === 'id') return freshRow(app.sql, recordType, cast.owner.id);
  const referencedType = referencedTypes[name];
  if (referencedType) return freshRow(app.sql, referencedType, cast.owner.id);
  return { Boolean: true, Int: 1, Float: 1, Instant: '2030-01-01T00:00:00Z' }[getNamedType(type).name] ?? texts[name] ?? 'x';
}

/** Whether a call sends an argument. Optional user IDs and tokens are also sent, so that other callers act on rows of the owner. */
export const isSent = (argument: GraphQLArgument): boolean =>
  isRequiredArgument(argument) || argument.name === 'userId' || argument.name === 'token';

/** Returns the type name of the record that a mutation writes. */
export function recordTypeOf(field: Field): string {
  const type = getNamedType(field.type);
  return field.name.endsWith('Item') && type.name === 'ApprovalStatus' ? 'Biography' : type.name;
}

/** Returns a document that runs a mutation and passes each sent argument as a variable of the same name. */
export function documentOf(field: Field, sent: readonly string[]): string {
  const type = getNamedType(field.type);
  const args = field.args.filter(({ name }) => sent.includes(name));
  const heads = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const call = `${field.name}${args.length ? `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})` : ''}`;
  const hasId = isObjectType(type) && 'nodeId' in type.getFields();
  return `mutation${heads && ` (${heads})`} { done: ${call}${isLeafType(type) ? '' : ` { __typename ${hasId ? 'id' : ''} }`} }`;
}

/**
 * Calls a mutation on a fresh row of the owner. Returns the first error, or an empty string. If the mutation wrote another row,
 * returns `another: ` and the ID of that row.
 */
export async function callOf(target: CallTarget, field: Field, tokens: Tokens): Promise<string> {
  const { app, cast } = target;
  const recordType = recordTypeOf(field);
  const args = field.args.filter(isSent);
  const variables: Record<string, unknown> = {};
  for (const { name, type: inputType } of args) variables[name] = await sampleValue(target, name, inputType, recordType);
  // Only the owner erases the owner's account. Other callers erase or lock a new user, because later calls need the owner.
  if (/^(erase|lock)User$/.test(field.name) && tokens.user !== cast.owner.user) variables.id = (await app.person()).id;
  if (field.name.startsWith('upsert')) variables.input = { id: await freshRow(app.sql, recordType, cast.owner.id) };
  const text = documentOf(
    field,
    args.map(({ name }) => name),
  );
  const { errors = [], done } = await app.graphql(text, variables, tokens);
  if (field.name === 'endAllSessions') await restoreSessions(app.sql);
  const [error = ''] = errors as string[];
  expect(error, `${text} ${JSON.stringify(variables)}`).not.toMatch(/Variable|INTERNAL/);
  const { id = variables.id } = (variables.input ?? {}) as { id?: unknown };
  return !error && id !== undefined && done?.id && done.id !== id ? `another: ${done.id}` : error;
}
