import type { GraphQLArgument, GraphQLField } from 'graphql';
import { meaningOf } from '../engine/bind/bound-fields.js';
import type { Codecs } from '../engine/bind/codec.js';
import { joinedPath } from '../engine/bind/invalid-value-error.js';
import { type ArgumentReaders, isReader, labelOf, type Parameter, type Reader } from '../engine/request/reader.js';
import type { SchemaElement } from './coordinates.js';
import { inputElement } from './coordinates.js';

/** Descriptions of parameters that exist only in the legacy interface, keyed by location and name. They override GraphQL descriptions. */
export const parameterMeanings: Readonly<Record<string, string>> = {
  'query current_page':
    'Number of records to skip. If the service is configured to use page numbers, this is the page number: 0 and 1 mean the first page.',
  'query retrieve_all': 'Whether to return all records instead of one page. Default: false.',
  'query fieldsToOmit':
    'Comma-separated names of fields to leave unchanged. Other fields that the request omits are reset to their defaults.',
  'query module': 'Name of a module. The only value is `global`.',
  'query lookup': 'Set to `retirement_reason` to list retirement reasons instead of penalties.',
  'query show_all_info': 'Whether to return additional fields for each player, such as `playerSlug`. Default: false.',
  'query partner': 'Abbreviation of the tour. The only value is `PPA`.',
  'query unit_of_distance': 'Unit of `distance`: `km` or `mi`. Default: `km`.',
  'query public': 'Whether to return only public games. If `private` is also true, all games are returned.',
  'query private':
    'Whether to return only private games, which require an invitation. If `public` is also true, all games are returned.',
  'path module_for': 'Type of the record. The only value is `news`.',
  'path action':
    'Number or name of a reaction: 1 for a like, 2 or 99 to remove the reaction, 3 to 7 or 100 to 103 for other reactions.',
};

/** Descriptions of parameters without a GraphQL description, keyed by location and name. */
const fallbackMeanings: Readonly<Record<string, string>> = {
  'path uuid': 'ID of the user.',
};

/** GraphQL root field of an operation. */
export interface RootField {
  /** Coordinate, such as `Query.teams`. */
  readonly coordinate: string;
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** Argument paths that each variable sets, keyed by variable name. */
  readonly uses: ReadonlyMap<string, readonly { readonly path: string }[]>;
}

/** A parameter, and a GraphQL value that it sets. */
interface ReadParameter {
  readonly parameter: Parameter;
  /** Path of the GraphQL value. The first segment is the name of a variable. */
  readonly path: string;
  /** Whether the parameter alone sets this value. If false, the value is computed from several parameters. */
  readonly isNamed: boolean;
}

function* parametersOfReader(reader: Reader, path: string, codecs: Codecs): Iterable<ReadParameter> {
  const names = [...reader.names(codecs)];
  for (const parameter of reader.parameters) {
    const ownPaths = names.filter(([, label]) => label === labelOf(parameter)).map(([inner]) => inner);
    for (const inner of ownPaths) yield { parameter, path: joinedPath(path, inner), isNamed: true };
    // A parameter of a record reader, such as `fieldsToOmit`, sets no value of the record.
    if (!ownPaths.length && !reader.body) yield { parameter, path, isNamed: false };
  }
}

function* parametersOfArgs(args: ArgumentReaders, codecs: Codecs, path = ''): Iterable<ReadParameter> {
  for (const [name, entry] of Object.entries(args)) {
    const entryPath = joinedPath(path, name);
    if (isReader(entry)) yield* parametersOfReader(entry, entryPath, codecs);
    else yield* parametersOfArgs(entry, codecs, entryPath);
  }
}

/**
 * Returns the description of the argument `id` of a generated mutation, such as `ID of the team.` The schema contains no such description.
 * Empty for other arguments.
 */
function meaningOfId(field: string, argument: string): string {
  const record = field.replace(/^(?:create|update|upsert|delete)(?=[A-Z])/, '');
  return argument === 'id' ? `ID of the ${record.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()}.` : '';
}

/**
 * Returns the argument or input field at a path that starts with a variable. Null if the variable sets several arguments, or no argument.
 */
function elementAt(path: string, { coordinate, field, uses }: RootField): SchemaElement | null {
  const [variable = '', ...rest] = path.split('.');
  const [usedPath, ...otherPaths] = (uses.get(variable) ?? []).map((use) => use.path);
  if (usedPath === undefined || otherPaths.length) return null;
  const [name = '', ...inner] = usedPath.split('.');
  const argument: GraphQLArgument | undefined = field?.args.find((candidate) => candidate.name === name);
  if (!argument) return null;
  const element = inputElement(argument.type, [...inner, ...rest].join('.'));
  return {
    coordinate: [coordinate, name, element?.path].filter(Boolean).join('.'),
    description: element?.description ?? (meaningOf(argument) || meaningOfId(field?.name ?? '', name)),
  };
}

/** A parameter with its description and GraphQL coordinate. */
export interface LocatedParameter {
  readonly parameter: Parameter;
  /** Schema coordinate of the GraphQL argument. Null if the parameter sets several arguments, or no argument. */
  readonly coordinate: string | null;
  readonly meaning: string;
}

/** Returns the parameters of a route without duplicates. The fields of a record are not parameters. */
export function locatedParameters(
  args: ArgumentReaders,
  additional: readonly Parameter[],
  rootField: RootField,
  codecs: Codecs,
): LocatedParameter[] {
  const byLabel = Map.groupBy([...parametersOfArgs(args, codecs)], ({ parameter }) => `${parameter.in} ${parameter.name}`);
  for (const parameter of additional) {
    const key = `${parameter.in} ${parameter.name}`;
    if (!byLabel.has(key)) byLabel.set(key, [{ parameter, path: '', isNamed: false }]);
  }
  return [...byLabel.values()].flatMap((sameParameters) => {
    const [first] = sameParameters;
    if (!first) return [];
    const namedParameters = sameParameters.filter(({ isNamed }) => isNamed);
    const elements = (namedParameters.length ? namedParameters : sameParameters).flatMap(
      ({ path }) => elementAt(path, rootField) ?? [],
    );
    // If a parameter sets several GraphQL values, the value with the longest coordinate has the best description.
    const [deepestElement] = elements.toSorted((a, b) => b.coordinate.length - a.coordinate.length);
    const element =
      namedParameters.length || new Set(elements.map(({ coordinate }) => coordinate)).size === 1 ? deepestElement : undefined;
    const parameter = { ...first.parameter, required: sameParameters.some(({ parameter: { required } }) => required) };
    const { name } = parameter;
    const schemaDescription = parameter.schema.description;
    const key = `${parameter.in} ${name}`;
    const meaning =
      parameterMeanings[key] ??
      (typeof schemaDescription === 'string' ? schemaDescription : element?.description) ??
      fallbackMeanings[key] ??
      '';
    return [{ parameter, coordinate: element?.coordinate ?? null, meaning }];
  });
}
