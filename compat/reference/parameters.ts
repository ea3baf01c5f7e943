import type { GraphQLArgument, GraphQLField } from 'graphql';
import type { Codecs } from '../engine/bind/codec.js';
import { meaningOf } from '../engine/bind/meaning.js';
import { joinedPath } from '../engine/bind/mismatch.js';
import { type Args, isReader, labelOf, type Parameter, type Reader } from '../engine/request/reader.js';
import type { SchemaElement } from './coordinates.js';
import { inputElement } from './coordinates.js';
import { otherMeanings, parameterMeanings } from './parameter-meanings.js';

/** The root field of an operation, and the arguments that its variables set. */
export interface RootField {
  /** Coordinate, such as `Query.teams`. */
  readonly coordinate: string;
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** Paths of arguments by variable. */
  readonly uses: ReadonlyMap<string, readonly { readonly path: string }[]>;
}

interface ReadParameter {
  readonly parameter: Parameter;
  /** Path that starts with the variable. */
  readonly path: string;
  /** Whether the reader sets exactly this path. Otherwise the value is computed from several parameters. */
  readonly isNamed: boolean;
}

function* parametersOfReader(reader: Reader, path: string, codecs: Codecs): Iterable<ReadParameter> {
  const names = [...reader.names(codecs)];
  for (const parameter of reader.parameters) {
    const ownPaths = names.filter(([, label]) => label === labelOf(parameter)).map(([inner]) => inner);
    for (const inner of ownPaths) yield { parameter, path: joinedPath(path, inner), isNamed: true };
    // Parameters next to a record are not part of the record.
    if (!ownPaths.length && !reader.body) yield { parameter, path, isNamed: false };
  }
}

function* parametersOfArgs(args: Args, codecs: Codecs, path = ''): Iterable<ReadParameter> {
  for (const [name, entry] of Object.entries(args)) {
    const entryPath = joinedPath(path, name);
    if (isReader(entry)) yield* parametersOfReader(entry, entryPath, codecs);
    else yield* parametersOfArgs(entry, codecs, entryPath);
  }
}

/** Description of the argument `id` of a generated mutation, which the schema omits: for `deleteTeam`, `ID of the team.` */
function meaningOfId(field: string, argument: string): string {
  const record = field.replace(/^(?:create|update|upsert|delete)(?=[A-Z])/, '');
  return argument === 'id' ? `ID of the ${record.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()}.` : '';
}

/** Resolves a path that starts at a variable to a graph input. */
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

/** A parameter with its GraphQL coordinate, if there is a single one. */
export interface LocatedParameter {
  readonly parameter: Parameter;
  readonly coordinate: string | null;
  readonly meaning: string;
}

/** All parameters of a route except the record, without duplicates. */
export function locatedParameters(
  args: Args,
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
    // If a value has several coordinates, the most deeply nested one describes it best.
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
      otherMeanings[key] ??
      '';
    return [{ parameter, coordinate: element?.coordinate ?? null, meaning }];
  });
}
