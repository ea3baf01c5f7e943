import type { GraphQLArgument, GraphQLField } from 'graphql';
import type { Codecs } from '../engine/bind/codec.js';
import { meaningOf } from '../engine/bind/meaning.js';
import { joinedPath } from '../engine/bind/mismatch.js';
import { type Args, isReader, labelOf, type Parameter, type Reader } from '../engine/request/reader.js';
import type { SchemaElement } from './coordinates.js';
import { inputElement } from './coordinates.js';
import { otherMeanings, parameterMeanings } from './parameter-meanings.js';

/** The root field of an operation, and the arguments that its variables set. */
export interface Asked {
  /** Coordinate, such as `Query.teams`. */
  readonly coordinate: string;
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** Paths of arguments by variable. */
  readonly uses: ReadonlyMap<string, readonly { readonly path: string }[]>;
}

interface Taken {
  readonly parameter: Parameter;
  /** Path that starts with the variable. */
  readonly path: string;
  /** Whether the reader sets exactly this path. Otherwise the value is computed from several parameters. */
  readonly isNamed: boolean;
}

function* takenBy(reader: Reader, path: string, codecs: Codecs): Iterable<Taken> {
  const names = [...reader.names(codecs)];
  for (const parameter of reader.parameters) {
    const own = names.filter(([, label]) => label === labelOf(parameter)).map(([inner]) => inner);
    for (const inner of own) yield { parameter, path: joinedPath(path, inner), isNamed: true };
    // Parameters next to a record are not part of the record.
    if (!own.length && !reader.body) yield { parameter, path, isNamed: false };
  }
}

function* takenIn(args: Args, codecs: Codecs, path = ''): Iterable<Taken> {
  for (const [name, entry] of Object.entries(args)) {
    const here = joinedPath(path, name);
    if (isReader(entry)) yield* takenBy(entry, here, codecs);
    else yield* takenIn(entry, codecs, here);
  }
}

/** Description of the argument `id` of a generated mutation, which the schema omits: for `deleteTeam`, `ID of the team.` */
function meaningOfId(field: string, argument: string): string {
  const record = field.replace(/^(?:create|update|upsert|delete)(?=[A-Z])/, '');
  return argument === 'id' ? `ID of the ${record.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()}.` : '';
}

/** Resolves a path that starts at a variable to a graph input. */
function placeOf(path: string, { coordinate, field, uses }: Asked): SchemaElement | null {
  const [variable = '', ...rest] = path.split('.');
  const [used, ...others] = (uses.get(variable) ?? []).map((use) => use.path);
  if (used === undefined || others.length) return null;
  const [name = '', ...inner] = used.split('.');
  const argument: GraphQLArgument | undefined = field?.args.find((each) => each.name === name);
  if (!argument) return null;
  const found = inputElement(argument.type, [...inner, ...rest].join('.'));
  return {
    coordinate: [coordinate, name, found?.path].filter(Boolean).join('.'),
    description: found?.description ?? (meaningOf(argument) || meaningOfId(field?.name ?? '', name)),
  };
}

/** A parameter with its GraphQL coordinate, if there is a single one. */
export interface Placed {
  readonly parameter: Parameter;
  readonly coordinate: string | null;
  readonly meaning: string;
}

/** All parameters of a route except the record, without duplicates. */
export function placedParameters(args: Args, also: readonly Parameter[], asked: Asked, codecs: Codecs): Placed[] {
  const byLabel = Map.groupBy([...takenIn(args, codecs)], ({ parameter }) => `${parameter.in} ${parameter.name}`);
  for (const parameter of also) {
    const key = `${parameter.in} ${parameter.name}`;
    if (!byLabel.has(key)) byLabel.set(key, [{ parameter, path: '', isNamed: false }]);
  }
  return [...byLabel.values()].flatMap((taken) => {
    const [first] = taken;
    if (!first) return [];
    const sure = taken.filter(({ isNamed }) => isNamed);
    const places = (sure.length ? sure : taken).flatMap(({ path }) => placeOf(path, asked) ?? []);
    // If a value has several coordinates, the most deeply nested one describes it best.
    const [deepest] = places.toSorted((a, b) => b.coordinate.length - a.coordinate.length);
    const place = sure.length || new Set(places.map(({ coordinate }) => coordinate)).size === 1 ? deepest : undefined;
    const parameter = { ...first.parameter, required: taken.some((each) => each.parameter.required) };
    const { name } = parameter;
    const said = parameter.schema.description;
    const key = `${parameter.in} ${name}`;
    const meaning = parameterMeanings[key] ?? (typeof said === 'string' ? said : place?.description) ?? otherMeanings[key] ?? '';
    return [{ parameter, coordinate: place?.coordinate ?? null, meaning }];
  });
}
