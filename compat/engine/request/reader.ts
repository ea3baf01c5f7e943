import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Client } from '../../../src/gateway/run.js';
import type { LegacyRecord } from '../bind/binding.js';
import type { Codecs } from '../bind/codec.js';
import type { Data, JsonSchema } from '../bind/json.js';
import { camel } from '../bind/keys.js';
import { expected, joinedPath, named, Readings } from '../bind/mismatch.js';

/** How `current_page` counts: rows to skip, or pages (decision 7). */
export type Paging = 'offset' | 'pages';

/** A request as the legacy interface sees it. */
export interface LegacyRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Data;
  readonly caller: Caller;
  readonly client: Client;
  readonly paging: Paging;
}

/** Where a value of a request stands; `payload` is a field of the object under that key of the body. */
export type ValuePlace = 'path' | 'query' | 'header' | 'body' | 'payload';

/** A value that requests may carry, as a document of the interface lists it. */
export interface Parameter {
  readonly in: ValuePlace;
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** What holds it may be it: `{ payload: "…" }`. */
  readonly orWhole?: true;
}

/** Takes one value from a request. Readers are put together; a route's `args` is a tree of them. */
export interface Reader<T = unknown> {
  readonly parameters: readonly Parameter[];
  /** Ready for requests; undefined means absent. Throws a Mismatch that names the value. */
  compile(codecs: Codecs): (request: LegacyRequest) => T | undefined;
  /** From paths below the graph's argument to legacy names, for messages. */
  names(codecs: Codecs): ReadonlyMap<string, string>;
  /** The record that the whole body, or its payload, is read as. */
  readonly body?: { readonly record: LegacyRecord; readonly wrapped: boolean };
}

/** Whether an entry of `args` is a reader; else it is an object of them. */
export const isReader = (value: Reader | Args): value is Reader => typeof value.compile === 'function';

/** Operation variables by name; objects nest. What is absent is left out, and so is an object of nothing but absent values. */
export interface Args {
  readonly [name: string]: Reader | Args;
}

/** A fixed value. */
export const value = <T>(fixed: T): Reader<T> => ({ parameters: [], compile: () => () => fixed, names: () => new Map() });

/** Something of who asks: `caller(({ user }) => user?.id)`. */
export const caller = <T>(take: (caller: Caller) => T | undefined): Reader<T> => ({
  parameters: [],
  compile: () => (request) => take(request.caller),
  names: () => new Map(),
});

const together = (readers: readonly Reader[]): Pick<Reader, 'parameters' | 'names'> => ({
  parameters: readers.flatMap(({ parameters }) => parameters),
  // A message that names the whole value names the first reader; one that names a part finds it by its own name.
  names: (codecs) =>
    new Map([
      ...readers.flatMap(({ parameters }) =>
        parameters.map((parameter): [string, string] => [camel(parameter.name), labelOf(parameter)]),
      ),
      ...readers.toReversed().flatMap((reader) => [...reader.names(codecs)]),
    ]),
});

/** The first that is present. */
export const firstOf = <T>(...readers: readonly Reader<T>[]): Reader<T> => ({
  ...together(readers),
  compile(codecs) {
    const reads = readers.map((reader) => reader.compile(codecs));
    return (request) => {
      for (const read of reads) {
        const found = read(request);
        if (found !== undefined) return found;
      }
      return undefined;
    };
  },
});

/** A value that requests may also send under the names of responses. Documentation and messages have its own name only. */
export const aliased = <T>(reader: Reader<T>, ...aliases: readonly Reader<T>[]): Reader<T> => ({
  ...reader,
  compile: firstOf(reader, ...aliases).compile,
});

/** What must be there: 400 when it is absent. */
export const required = <T>(reader: Reader<T>): Reader<T> => {
  const parameters = reader.parameters.map((parameter) => ({ ...parameter, required: reader.parameters.length === 1 }));
  const label = parameters.map(labelOf).join(' or ');
  return {
    ...reader,
    parameters,
    compile(codecs) {
      const read = reader.compile(codecs);
      return (request) => read(request) ?? named(label, () => expected('a value'));
    },
  };
};

/** One value from several, some of which may be absent: `combined((km, unit) => …, query.int('distance'), query.text('unit'))`. */
export const combined = <const Values extends readonly unknown[], T>(
  make: (...values: { [K in keyof Values]: Values[K] | undefined }) => T | undefined,
  ...readers: { [K in keyof Values]: Reader<Values[K]> }
): Reader<T> => ({
  ...together(readers as readonly Reader[]),
  compile(codecs) {
    const reads = (readers as readonly Reader[]).map((reader) => reader.compile(codecs));
    return (request) => {
      const readings = new Readings();
      const values = reads.map((read) => readings.try(() => read(request)));
      readings.check();
      return make(...(values as { [K in keyof Values]: Values[K] | undefined }));
    };
  },
});

/** A value that is read only if another one is the given one: `whenIs(division, 'MIXED_DOUBLES', gender)`. */
export const whenIs = <T>(condition: Reader<string>, wanted: string, reader: Reader<T>): Reader<T> => ({
  ...reader,
  compile(codecs) {
    const [readCondition, read] = [condition.compile(codecs), reader.compile(codecs)];
    // Errors of the condition are reported when its own value is read.
    const holds = (request: LegacyRequest) => new Readings().try(() => readCondition(request)) === wanted;
    return (request) => (holds(request) ? read(request) : undefined);
  },
});

/** How messages call a value. */
export const labelOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string =>
  place === 'payload' ? `payload.${name}` : name;

/** One value at one place. */
export const readerAt = <T>(
  place: ValuePlace,
  name: string,
  schema: JsonSchema,
  get: (request: LegacyRequest) => unknown,
  parse: (given: unknown) => T | undefined,
): Reader<T> => {
  const parameter = { in: place, name, required: place === 'path', schema };
  const label = labelOf(parameter);
  return {
    parameters: [parameter],
    names: () => new Map([['', label]]),
    compile: () => (request) => {
      const given = get(request);
      return given === undefined || given === null ? undefined : named(label, () => parse(given));
    },
  };
};

/** A tree of readers as one function from requests to variables. It throws a Mismatch that names all that is wrong. */
export function compileArgs(args: Args, codecs: Codecs): (request: LegacyRequest) => Data {
  const entries = Object.entries(args).map(([name, entry]) => {
    if (isReader(entry)) return [name, entry.compile(codecs)] as const;
    const inner = compileArgs(entry, codecs);
    return [
      name,
      (request: LegacyRequest) => {
        const found = inner(request);
        for (const _ in found) return found;
        return undefined;
      },
    ] as const;
  });
  return (request) => {
    const variables: Data = {};
    const readings = new Readings();
    for (const [name, read] of entries) {
      const found = readings.try(() => read(request));
      if (found !== undefined) variables[name] = found;
    }
    readings.check(variables);
    return variables;
  };
}

/** From argument paths to legacy names: `filter.near.latitude` → `latitude`, `input.location.city` → `payload.LocationCity`. */
export function argumentNames(args: Args, codecs: Codecs): [string, string][] {
  return Object.entries(args).flatMap(([name, entry]) => {
    const inner = isReader(entry) ? [...entry.names(codecs)] : argumentNames(entry, codecs);
    return inner.map(([path, legacy]): [string, string] => [joinedPath(name, path), legacy]);
  });
}

/** Whether requests need a body: the record that it is, or a value in it that must be there. */
export const needsBody = (args: Args): boolean =>
  Object.values(args).some((entry) =>
    isReader(entry)
      ? entry.body !== undefined || entry.parameters.some(({ in: place, required: isRequired }) => isRequired && isInBody(place))
      : needsBody(entry),
  );

const isInBody = (place: ValuePlace): boolean => place === 'body' || place === 'payload';

/** Every value that a tree of readers takes from requests. */
export const parametersOf = (args: Args): Parameter[] =>
  Object.values(args).flatMap((entry) => (isReader(entry) ? entry.parameters : parametersOf(entry)));
