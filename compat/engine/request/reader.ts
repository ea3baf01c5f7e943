import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Client } from '../../../src/graphql/run.js';
import type { LegacyRecord } from '../bind/binding.js';
import type { Codecs } from '../bind/codec.js';
import { InvalidValues, joinedPath, throwInvalidValue, withParentName } from '../bind/invalid-value-error.js';
import type { Data, JsonSchema } from '../bind/json.js';
import { camel } from '../bind/record.js';

/** Meaning of the parameter `current_page`: a number of rows to skip, or a page number (decision 7). */
export type Paging = 'offset' | 'pages';

/** A request of the legacy interface. */
export interface LegacyRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Data;
  readonly caller: Caller;
  readonly client: Client;
  readonly paging: Paging;
}

/** Location of a value in a request. `payload` means a field of the object `payload` in the body. */
export type ValueLocation = 'path' | 'query' | 'header' | 'body' | 'payload';

/** Description of a request parameter: its location, name and schema. */
export interface Parameter {
  readonly in: ValueLocation;
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Whether the payload may be the value itself: `{ payload: "…" }`. */
  readonly canBePayload?: true;
}

/** Reads a value from a request. Readers can be combined. */
export interface Reader<T = unknown> {
  readonly parameters: readonly Parameter[];
  /**
   * Returns a function that reads the value. It returns undefined for a missing value and throws an `InvalidValueError` for an invalid
   * value.
   */
  compile(codecs: Codecs): (request: LegacyRequest) => T | undefined;
  /** Returns legacy names keyed by path within the GraphQL argument, for error messages. */
  names(codecs: Codecs): ReadonlyMap<string, string>;
  /** Record that the reader reads from the body. `isWrapped` is true if the record is under the key `payload`. */
  readonly body?: { readonly record: LegacyRecord; readonly isWrapped: boolean };
}

/** Whether an entry of `args` is a reader. If not, it is an object of readers. */
export const isReader = (value: Reader | ArgumentReaders): value is Reader => typeof value.compile === 'function';

/**
 * Readers of GraphQL variables, keyed by variable name. Nested objects become input objects. Missing values and empty objects are omitted.
 */
export interface ArgumentReaders {
  readonly [name: string]: Reader | ArgumentReaders;
}

/** Returns a reader of a constant. */
export const value = <T>(constant: T): Reader<T> => ({ parameters: [], compile: () => () => constant, names: () => new Map() });

/** Returns a reader of a property of the caller, such as `caller(({ user }) => user?.id)`. */
export const caller = <T>(select: (caller: Caller) => T | undefined): Reader<T> => ({
  parameters: [],
  compile: () => (request) => select(request.caller),
  names: () => new Map(),
});

const mergedMetadata = (readers: readonly Reader[]): Pick<Reader, 'parameters' | 'names'> => ({
  parameters: readers.flatMap(({ parameters }) => parameters),
  // Messages about the whole value use the name of the first reader. Messages about a part use the name of the part's reader.
  names: (codecs) =>
    new Map([
      ...readers.flatMap(({ parameters }) =>
        parameters.map((parameter): [string, string] => [camel(parameter.name), labelOf(parameter)]),
      ),
      ...readers.toReversed().flatMap((reader) => [...reader.names(codecs)]),
    ]),
});

/** Returns a reader that tries several readers in order and returns the first value that is present. */
export const firstPresent = <T>(...readers: readonly Reader<T>[]): Reader<T> => ({
  ...mergedMetadata(readers),
  compile(codecs) {
    const readFunctions = readers.map((reader) => reader.compile(codecs));
    return (request) => {
      for (const read of readFunctions) {
        const result = read(request);
        if (result !== undefined) return result;
      }
      return undefined;
    };
  },
});

/**
 * Returns a reader of a value that requests may also send under an alias, such as its name in responses. Documentation and error messages
 * contain the first name only.
 */
export const withAliases = <T>(reader: Reader<T>, ...aliases: readonly Reader<T>[]): Reader<T> => ({
  ...reader,
  compile: firstPresent(reader, ...aliases).compile,
});

/** Returns a reader of a required value. A missing value results in 400. */
export const required = <T>(reader: Reader<T>): Reader<T> => {
  const parameters = reader.parameters.map((parameter) => ({ ...parameter, required: reader.parameters.length === 1 }));
  const label = parameters.map(labelOf).join(' or ');
  return {
    ...reader,
    parameters,
    compile(codecs) {
      const read = reader.compile(codecs);
      return (request) => read(request) ?? withParentName(label, () => throwInvalidValue('a value'));
    },
  };
};

/**
 * Returns a reader that computes a value from several optional values: `computedFrom((km, unit) => …, query.int('distance'),
 * query.text('unit'))`.
 */
export const computedFrom = <const Values extends readonly unknown[], T>(
  combine: (...values: { [K in keyof Values]: Values[K] | undefined }) => T | undefined,
  ...readers: { [K in keyof Values]: Reader<Values[K]> }
): Reader<T> => ({
  ...mergedMetadata(readers as readonly Reader[]),
  compile(codecs) {
    const readFunctions = (readers as readonly Reader[]).map((reader) => reader.compile(codecs));
    return (request) => {
      const mismatches = new InvalidValues();
      const values = readFunctions.map((read) => mismatches.tryRead(() => read(request)));
      mismatches.throwIfAny();
      return combine(...(values as { [K in keyof Values]: Values[K] | undefined }));
    };
  },
});

/** Returns a reader that reads a value only if another value matches: `ifEquals(division, 'MIXED_DOUBLES', gender)`. */
export const ifEquals = <T>(condition: Reader<string>, expectedValue: string, reader: Reader<T>): Reader<T> => ({
  ...reader,
  compile(codecs) {
    const [readCondition, read] = [condition.compile(codecs), reader.compile(codecs)];
    // Errors of the condition are ignored here. The reader of its own variable reports them.
    const matches = (request: LegacyRequest) => new InvalidValues().tryRead(() => readCondition(request)) === expectedValue;
    return (request) => (matches(request) ? read(request) : undefined);
  },
});

/** Returns the name of a parameter in error messages. */
export const labelOf = ({ in: location, name }: Pick<Parameter, 'in' | 'name'>): string =>
  location === 'payload' ? `payload.${name}` : name;

/** Returns a reader of one parameter. `parse` never receives null or undefined. */
export const readerAt = <T>(
  location: ValueLocation,
  name: string,
  schema: JsonSchema,
  get: (request: LegacyRequest) => unknown,
  parse: (rawValue: unknown) => T | undefined,
): Reader<T> => {
  const parameter = { in: location, name, required: location === 'path', schema };
  const label = labelOf(parameter);
  return {
    parameters: [parameter],
    names: () => new Map([['', label]]),
    compile: () => (request) => {
      const rawValue = get(request);
      return rawValue === undefined || rawValue === null ? undefined : withParentName(label, () => parse(rawValue));
    },
  };
};

/** Returns a function that reads the GraphQL variables of a request. It throws an `InvalidValueError` with all invalid values. */
export function compileArgs(args: ArgumentReaders, codecs: Codecs): (request: LegacyRequest) => Data {
  const entries = Object.entries(args).map(([name, entry]) => {
    if (isReader(entry)) return [name, entry.compile(codecs)] as const;
    const inner = compileArgs(entry, codecs);
    return [
      name,
      (request: LegacyRequest) => {
        const variables = inner(request);
        for (const _ in variables) return variables;
        return undefined;
      },
    ] as const;
  });
  return (request) => {
    const variables: Data = {};
    const mismatches = new InvalidValues();
    for (const [name, read] of entries) {
      const variable = mismatches.tryRead(() => read(request));
      if (variable !== undefined) variables[name] = variable;
    }
    mismatches.throwIfAny(variables);
    return variables;
  };
}

/**
 * Returns pairs of variable path and legacy name: `filter.near.latitude` and `latitude`, `input.location.city` and `payload.LocationCity`.
 */
export function argumentNames(args: ArgumentReaders, codecs: Codecs): [string, string][] {
  return Object.entries(args).flatMap(([name, entry]) => {
    const inner = isReader(entry) ? [...entry.names(codecs)] : argumentNames(entry, codecs);
    return inner.map(([path, legacy]): [string, string] => [joinedPath(name, path), legacy]);
  });
}

/** Whether requests must have a body, because a record or a required value is read from it. */
export const needsBody = (args: ArgumentReaders): boolean =>
  Object.values(args).some((entry) =>
    isReader(entry)
      ? entry.body !== undefined ||
        entry.parameters.some(({ in: location, required: isRequired }) => isRequired && isInBody(location))
      : needsBody(entry),
  );

const isInBody = (location: ValueLocation): boolean => location === 'body' || location === 'payload';

/** Returns the parameters of all readers in `args`. */
export const parametersOf = (args: ArgumentReaders): Parameter[] =>
  Object.values(args).flatMap((entry) => (isReader(entry) ? entry.parameters : parametersOf(entry)));
