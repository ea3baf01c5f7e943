import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { badInputError, reject } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';

/** A list at the root of the graph. */
export interface RootList {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  /** Type of the rows, or their common interface if they have several types. */
  readonly item: GraphQLObjectType | GraphQLInterfaceType;
  readonly isMixed: boolean;
}

/** Returns the connections of the query type, keyed by field name. */
export function rootLists(schema: GraphQLSchema): ReadonlyMap<string, RootList> {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return new Map(
    fields.flatMap((field): [string, RootList][] => {
      const connection = getNamedType(field.type);
      const { nodes, pageInfo } = isObjectType(connection) ? connection.getFields() : {};
      if (!nodes || !pageInfo) return [];
      const namedType = getNamedType(nodes.type);
      const isComposite = isObjectType(namedType) || isInterfaceType(namedType);
      const item = isComposite ? namedType : schema.getType('Node');
      if (!isObjectType(item) && !isInterfaceType(item)) return [];
      return [[field.name, { name: field.name, field, item, isMixed: !isObjectType(namedType) }]];
    }),
  );
}

/** Parameters of an export URL. */
export interface ExportParameters {
  /** Arguments of the list, except `first`. */
  readonly variables: Record<string, unknown>;
  /** Maximum number of rows. Null means all rows. */
  readonly first: number | null;
  readonly fields: string | null;
}

/** Arguments for reading a list backward. Exports do not support them. */
const backwardArguments = new Set(['last', 'before']);

/** Returns the arguments of a list that are accepted as URL parameters. */
export const argumentsOf = ({ field }: RootList): readonly GraphQLArgument[] =>
  field.args.filter(({ name }) => !backwardArguments.has(name));

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return reject(name, 'JSON');
  }
}

const booleans = new Map([
  ['true', true],
  ['false', false],
]);

/** Converts a parameter to the type of its argument. Parameters for input objects and lists contain JSON. */
function parseValue(name: string, text: string, declaredType: GraphQLInputType): unknown {
  const type = getNullableType(declaredType);
  if (isInputObjectType(type) || isListType(type)) return parseJson(name, text);
  if (!isScalarType(type)) return text;
  if (type.name === 'Int') return /^-?\d{1,9}$/.test(text) ? Number(text) : reject(name, 'a whole number');
  if (type.name === 'Float') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : reject(name, 'a number');
  if (type.name === 'Boolean') return booleans.get(text) ?? reject(name, 'true or false');
  return text;
}

/** Parses the parameters of a URL. Throws BAD_INPUT with all problems. */
export function readParameters(list: RootList, query: URLSearchParams): ExportParameters {
  const argumentsByName = new Map(argumentsOf(list).map((argument) => [argument.name, argument]));
  const problems = new Problems();
  const variables: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const [text = '', ...otherValues] = query.getAll(name);
    const argument = argumentsByName.get(name);
    problems.try(() => {
      if (otherValues.length) reject(name, 'one value');
      if (name === 'fields') return;
      if (!argument) reject(name.slice(0, 100), `one of the parameters ${['fields', ...argumentsByName.keys()].join(', ')}`);
      else variables[name] = parseValue(name, text, argument.type);
    });
  }
  const { first = null, ...otherArguments } = variables;
  if (first !== null && !(typeof first === 'number' && first >= 1)) problems.add('first', 'a whole number of 1 or more');
  if (problems.list.length) throw badInputError(problems.list);
  return { variables: otherArguments, first: typeof first === 'number' ? first : null, fields: query.get('fields') };
}
