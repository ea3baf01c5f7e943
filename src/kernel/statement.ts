import {
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { writesAuditedTable } from './audit.js';
import { createCache, validForever } from './caches.js';
import type { Param, Row } from './declare/row.js';
import { type Facts, factsOf, type StatedFacts } from './facts.js';

/**
 * Prefix of statements that PostgreSQL must plan for the values of each run. The best plan of a search depends on how frequent the word is:
 * the generic plan of a prepared statement would scan a million names for a rare word.
 */
export const plannedByValues = '/* planned by its values */ ';

/** Query builder for the tables of records, without a connection. */
export const building = new Kysely<Record<string, Row>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Placeholder for a value that each run supplies, by the index of the value. */
class Slot {
  constructor(readonly index: number) {}
}

const slots: RawBuilder<never>[] = [];

/** Placeholder of a value, numbered from 1, like `$1` in SQL text. */
export function slot(number: number): RawBuilder<never> {
  const known = slots[number] ?? sql<never>`${new Slot(number - 1)}`;
  slots[number] = known;
  return known;
}

/** Delimiter on both sides of a placeholder number in a fragment. PostgreSQL does not accept this character, so SQL text never contains it. */
const mark = '\u0001';

/** Placeholder of a value in a fragment, numbered from 1. */
export const place = (number: number): string => `${mark}${number}${mark}`;

/** Converts a fragment to plain text with `$1`, for cache keys that outlive a release. */
export const withoutMarks = (text: string): string =>
  text
    .split(mark)
    .map((part, index) => (index % 2 === 1 ? `$${part}` : part))
    .join('');

/** Converts SQL text with placeholders to a part of a typed statement. */
export function fragment<T = SqlBool>(text: string): RawBuilder<T> {
  const parts = text.split(mark);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const places = parts.filter((_, index) => index % 2 === 1).map((number) => slot(Number(number)));
  return sql<T>(Object.assign(texts, { raw: texts }), ...places);
}

/** Actor of writes by the service itself: an empty text. */
const theService = () => '';

/** Placeholder of the actor, which the session supplies. */
class ActorPlace {}

/**
 * Empty column that sets the actor in the same statement as the write, like `tellActor`. The triggers read the actor after the statement
 * has returned its rows.
 */
export const tellingActor: RawBuilder<string> = sql<string>`left(set_config('courtside.actor', ${new ActorPlace()}, true), 0)`;

/** Compiler that sends a value once, even if it has several placeholders. They must have the same type. */
class SharingCompiler extends PostgresQueryCompiler {
  readonly #numbers = new Map<unknown, number>();

  protected override appendValue(parameter: unknown): void {
    const known = this.#numbers.get(parameter);
    if (known === undefined) {
      super.appendValue(parameter);
      this.#numbers.set(parameter, this.numParameters);
    } else this.append(`$${known}`);
  }
}

interface StatementOptions {
  /** A value with several placeholders is sent once. */
  readonly isShared?: boolean;
  /** Facts of the SQL text in the statement. */
  readonly noted?: StatedFacts;
}

/** Empty part of a statement that states the facts of the SQL text around it. */
const notedPart = (noted: StatedFacts): RawBuilder<never> =>
  sql<never>`${{
    expressionType: undefined,
    toOperationNode: () => ({ kind: 'RawNode', sqlFragments: [''], parameters: [], noted }) as const,
  }}`;

/** Converts an SQL expression on a row, without values, to a part of a typed statement. */
export function expressionOf<T>(build: (param: Param) => string, row = 'r'): RawBuilder<T> {
  const param = collect([]);
  const text = build(param.for(row));
  return sql<T>`${sql.raw(text)}${notedPart(param.noted)}`;
}

/** Compiled statement that can run many times, with different values. */
export class Statement implements Facts {
  static #made = 0;
  /** Unique in this process. */
  readonly number = ++Statement.#made;
  readonly text: string;
  readonly kind: Facts['kind'];
  readonly reads: Facts['reads'];
  readonly writes: Facts['writes'];
  readonly volatileBy: Facts['volatileBy'];
  #isAudited: boolean | null = null;
  readonly #places: readonly unknown[];

  constructor(query: Compilable, { isShared = false, noted }: StatementOptions = {}) {
    const compiled = query.compile();
    const { sql: text, parameters } = isShared ? new SharingCompiler().compileQuery(compiled.query, compiled.queryId) : compiled;
    const { kind, reads, writes, volatileBy } = factsOf(compiled.query, noted);
    this.text = text;
    this.kind = kind;
    this.reads = reads;
    this.writes = writes;
    this.volatileBy = volatileBy;
    this.#places = parameters;
  }

  /** Whether it writes an audited record. */
  get isAudited(): boolean {
    this.#isAudited ??= writesAuditedTable(this);
    return this.#isAudited;
  }

  /** Returns the values of a run in the order of the placeholders in the text. */
  with(values: readonly unknown[], actor: () => string = theService): unknown[] {
    return this.#places.map((place) =>
      place instanceof Slot ? values[place.index] : place instanceof ActorPlace ? actor() : place,
    );
  }
}

const built = createCache<string, Statement>(
  { name: 'texts of statements, without values', limit: '2,000, and 5 MB of text', validity: validForever },
  { max: 2_000, maxSize: 5_000_000, sizeCalculation: ({ text }, { length }) => text.length + length },
);

/** Returns the statement of a shape, built on first use. The shape is a cache key: it must determine the statement except for the values. */
export function statementOf(shape: string, build: () => Compilable, options?: StatementOptions): Statement {
  let statement = built.get(shape);
  if (!statement) {
    statement = new Statement(build(), options);
    built.set(shape, statement);
  }
  return statement;
}

/** Joins SQL conditions with `and`. Returns `true` for an empty list. */
export const every = (conditions: readonly string[]): Expression<SqlBool> =>
  conditions.length
    ? sql.join<SqlBool>(
        conditions.map((text) => fragment(text)),
        sql.raw(' and '),
      )
    : sql<SqlBool>`true`;

/** Builds the conditions of a statement, and collects what they read. */
export interface Params extends Param {
  readonly noted: StatedFacts;
}

/** Builds conditions for a row. `add` adds a value and returns its placeholder. */
export function paramsFor(add: (value: unknown) => string): Params {
  const tables: string[] = [];
  const noted: { tables: string[]; volatileBy: string | null } = { tables, volatileBy: null };
  const dependOn = (what: string) => {
    noted.volatileBy ??= what;
  };
  const table = (name: string) => {
    tables.push(name);
    return name;
  };
  const time = (name: string) => {
    dependOn(name);
    return `${name}()`;
  };
  const build = (row: string, key: string): Params =>
    Object.assign((value: unknown) => add(value), {
      row,
      key,
      noted,
      table,
      time,
      dependOn,
      for: (other: string, by = key) => build(other, by),
    });
  return build('r', 'p.key');
}

/** Builds conditions of a compiled statement, and collects its values. */
export const collect = (values: unknown[]): Params => paramsFor((value) => place(values.push(value)));

/** Builds conditions of a statement in text, and collects its values. */
export const collectForText = (values: unknown[]): Params => paramsFor((value) => `$${values.push(value)}`);
