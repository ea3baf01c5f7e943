import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { type Example, exampleGroups } from '../../graphql/examples/index.js';
import { policiesOf } from '../../kernel/declare/policy/policy.js';
import type { GraphEntry, GraphField } from './entries.js';

/** IDs in the demo data, keyed by argument name. */
const demoIds: Readonly<Record<string, string>> = {
  tournamentId: 'demo-tournament',
  eventId: 'demo-event',
  userId: 'demo-user',
  registrationId: 'demo-registration',
};

/** Sample values of scalars. */
const scalars: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  Instant: '2030-01-01T09:00:00Z',
  Date: '2000-01-01',
  Money: '10',
};

/** Creates a value of an input type that contains only the required fields. */
function sampleOf(name: string, type: GraphQLInputType, depth = 0): unknown {
  if (isNonNullType(type)) return sampleOf(name, type.ofType, depth);
  if (isListType(type)) return [sampleOf(name, type.ofType, depth)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return scalars[type.name] ?? demoIds[name] ?? (type.name === 'ID' ? 'demo-id' : 'text');
  if (depth > 3) return {};
  const requiredFields = Object.values(type.getFields()).filter(isRequiredInputField);
  return Object.fromEntries(requiredFields.map((field) => [field.name, sampleOf(field.name, field.type, depth + 1)]));
}

/** Prints a selection set for a field. Selects the first few fields that require no arguments. */
function selectionOf(field: GraphField, depth = 0): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return '';
  if (!isObjectType(type)) return ' { __typename }';
  const fields = Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const nodes = fields.find(({ name }) => name === 'nodes');
  if (nodes) return ` { totalCount nodes${selectionOf(nodes, depth + 1)} }`;
  const unrestrictedFields = fields.filter((field) => !field.deprecationReason && !/For: /.test(field.description ?? ''));
  const leafFields = unrestrictedFields.filter((field) => isLeafType(getNamedType(field.type))).slice(0, 4);
  if (leafFields.length > 0) return ` { ${leafFields.map(({ name }) => name).join(' ')} }`;
  const [child] = unrestrictedFields;
  return child && depth < 3 ? ` { ${child.name}${selectionOf(child, depth + 1)} }` : ' { __typename }';
}

/** Returns the caller with the fewest permissions that may use a root field. */
function callerOf(field: GraphField): Example['caller'] {
  const policies = policiesOf(field.extensions) ?? [];
  const rights = policies.flatMap((policy) => policy.policyNames);
  if (policies.some((policy) => policy.policyNames.length === 0) || rights.includes('publishable')) return undefined;
  if (rights.includes('user')) return 'user';
  return rights.includes('platform') ? 'platform' : 'admin';
}

/** Returns an operation that selects a root field: a curated example, or else one derived from the schema. */
export function exampleOf({ coordinate, kind, field }: Pick<GraphEntry, 'coordinate' | 'kind'> & { field: GraphField }): Example {
  const curatedExample = exampleGroups
    .flatMap(({ examples }) => examples)
    .find(({ query }) => new RegExp(`^${kind} .*\\{\\n  ${field.name}\\b`, 'm').test(query));
  if (curatedExample) return curatedExample;
  const requiredArguments = field.args.filter(isRequiredArgument);
  const declarations = requiredArguments.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passedArguments = requiredArguments.map(({ name }) => `${name}: $${name}`).join(', ');
  const name = `${field.name[0]?.toUpperCase()}${field.name.slice(1)}`;
  const call = `${field.name}${passedArguments ? `(${passedArguments})` : ''}${selectionOf(field)}`;
  const variables = Object.fromEntries(
    requiredArguments.map((argument) => [argument.name, sampleOf(argument.name, argument.type)]),
  );
  const caller = callerOf(field);
  return {
    title: coordinate,
    query: `# ${coordinate}\n${kind} ${name}${declarations ? `(${declarations})` : ''} {\n  ${call}\n}\n`,
    ...(caller ? { caller } : {}),
    ...(requiredArguments.length > 0 ? { variables } : {}),
  };
}
