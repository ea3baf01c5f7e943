import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Data } from './json.js';
import { anything, type Kind, kindOf } from './kinds.js';
import type { LegacyRecord } from './record.js';

/** Where a response takes a field from. */
export interface Source {
  /** What is selected for it, around the spread of a nested record; empty where nothing is. */
  readonly select: (inner: string) => string;
  readonly get: (data: Data) => unknown;
  readonly description?: string;
  /** Why there is no such place. */
  readonly problem?: string;
}

/** Where a request's field goes to. */
export interface Target {
  readonly path: readonly string[];
  readonly field?: GraphQLInputField;
  readonly problem?: string;
}

/** One field between table and schema: what shapes change. */
export interface Draft {
  /** Null: responses leave it out. */
  readonly source: Source | null;
  /** Null: requests are not asked for it. */
  readonly target: Target | null;
  readonly out: Kind;
  readonly in: Kind;
}

/** A path's segments, each perhaps with arguments: `images(first: 100).nodes`. */
const segmentsOf = (path: string): string[] => path.split(/\.(?![^(]*\))/);
const keyOf = (segment: string): string => segment.replace(/\(.*$/s, '').trim();

/** The selection of a path around what is selected at its end. */
const selectionOf = (path: string, inner: string): string =>
  segmentsOf(path).reduceRight((rest, segment) => `${segment}${rest && ` { ${rest} }`}`, inner);

/** Follows a path into a graph object; null as soon as nothing is there. */
function getterOf(keys: readonly string[]): (data: Data) => unknown {
  const [first = '', second, ...more] = keys;
  if (second === undefined) return (data) => data[first];
  const rest = getterOf([second, ...more]);
  return (data) => {
    const inner = data[first];
    return inner === null || inner === undefined ? null : rest(inner as Data);
  };
}

function sourceOf(schema: GraphQLSchema, typeName: string, path: string): { source: Source; kind: Kind | null } {
  const segments = segmentsOf(path);
  let type = schema.getType(typeName);
  let field: GraphQLField<unknown, unknown> | undefined;
  for (const segment of segments) {
    if (!isObjectType(type))
      return { source: missing(`${type?.name ?? typeName} is no object type, so it has no "${keyOf(segment)}"`), kind: null };
    field = type.getFields()[keyOf(segment)];
    if (!field) return { source: missing(`${type.name} has no field "${keyOf(segment)}"`), kind: null };
    if (segment !== segments.at(-1) && isListType(isNonNullType(field.type) ? field.type.ofType : field.type)) {
      return { source: missing(`"${keyOf(segment)}" is a list, which a path cannot lead through`), kind: null };
    }
    type = getNamedType(field.type);
  }
  const get = getterOf(segments.map(keyOf));
  return {
    source: { select: (inner) => selectionOf(path, inner), get, description: field?.description ?? undefined },
    kind: field ? kindOf(field.type) : null,
  };
}

const missing = (problem: string): Source => ({ select: () => '', get: () => null, problem });

function targetOf(schema: GraphQLSchema, inputName: string, path: string): { target: Target; kind: Kind | null } {
  const keys = segmentsOf(path).map(keyOf);
  let type = schema.getType(inputName);
  let field: GraphQLInputField | undefined;
  for (const key of keys) {
    field = isInputObjectType(type) ? type.getFields()[key] : undefined;
    if (!field)
      return {
        target: {
          path: keys,
          problem: `${type?.name ?? inputName} has no input field "${key}": name its path, or make it readOnly`,
        },
        kind: null,
      };
    type = getNamedType(field.type);
  }
  return { target: { path: keys, field }, kind: field ? kindOf(field.type) : null };
}

/** What the schema says of a field, before shapes. */
export function draftOf(schema: GraphQLSchema, { type, input, keys, paths = {} }: LegacyRecord, name: string): Draft {
  const path = paths[name] ?? keys(name);
  const read = type ? sourceOf(schema, type, typeof path === 'string' ? path : path.read) : null;
  const write = input ? targetOf(schema, input, typeof path === 'string' ? path : path.write) : null;
  return {
    source: read?.source ?? null,
    target: write?.target ?? null,
    out: read?.kind ?? write?.kind ?? anything,
    in: write?.kind ?? read?.kind ?? anything,
  };
}
