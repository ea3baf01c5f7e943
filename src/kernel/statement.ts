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
import { writesAudited } from './audit.js';
import { bounded, forGood } from './bounded.js';
import type { Param, Row } from './declare/row.js';
import { type Facts, factsOf, type Noted } from './facts.js';

/**
 * Stands in front of statements that are planned for the values of each run: how many names hold a word decides how they are found. A plan
 * for any word, as prepared statements come to have, reads all of a million names for a rare one.
 */
export const plannedByValues = '/* planned by its values */ ';

/** Builds the statements of records, whose tables and columns their declarations name. It is connected to nothing. */
export const building = new Kysely<Record<string, Row>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A place in a statement for a value that each run brings, by its place among the values. */
class Slot {
  constructor(readonly index: number) {}
}

const slots: RawBuilder<never>[] = [];

/** The place of the value with that number, 1 being the first: as `$1` stands in a text. */
export function slot(number: number): RawBuilder<never> {
  const known = slots[number] ?? sql<never>`${new Slot(number - 1)}`;
  slots[number] = known;
  return known;
}

/** Stands on both sides of the number of a value in a fragment. PostgreSQL accepts it in no statement. */
const mark = '\u0001';

/** The value with that number in a fragment, 1 being the first. */
export const place = (number: number): string => `${mark}${number}${mark}`;

/** A fragment as text, for keys that outlive a release. */
export const withoutMarks = (text: string): string =>
  text
    .split(mark)
    .map((part, index) => (index % 2 === 1 ? `$${part}` : part))
    .join('');

/** SQL text as a part of a statement, with values at its places. */
export function fragment<T = SqlBool>(text: string): RawBuilder<T> {
  const parts = text.split(mark);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const places = parts.filter((_, index) => index % 2 === 1).map((number) => slot(Number(number)));
  return sql<T>(Object.assign(texts, { raw: texts }), ...places);
}

/** Who acts where nobody does but the service. */
const theService = () => '';

/** The place of who acts, whom the session knows. */
class ActorPlace {}

/**
 * Tells the triggers of the table that is written who acts, as `tellActor` does, in the same statement: they fire when it has returned its
 * rows. An empty column of these.
 */
export const tellingActor: RawBuilder<string> = sql<string>`left(set_config('courtside.actor', ${new ActorPlace()}, true), 0)`;

/** Sends a value once, however often it occurs. All its occurrences have the same type. */
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
  /** A value with several places is sent once. */
  readonly isShared?: boolean;
  /** What the SQL text in the statement reads. */
  readonly noted?: Noted;
}

/** Prints nothing. Tells what the SQL text around it reads. */
const notedPart = (noted: Noted): RawBuilder<never> =>
  sql<never>`${{
    expressionType: undefined,
    toOperationNode: () => ({ kind: 'RawNode', sqlFragments: [''], parameters: [], noted }) as const,
  }}`;

/** A condition without values, or another expression on a row, as a part of a typed statement. */
export function expressionOf<T>(build: (param: Param) => string, row = 'r'): RawBuilder<T> {
  const param = collect([]);
  const text = build(param.for(row));
  return sql<T>`${sql.raw(text)}${notedPart(param.noted)}`;
}

/** A statement that was built and compiled once, and runs with other values each time. */
export class Statement implements Facts {
  static #made = 0;
  /** No other one of this process has it. */
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

  /** Whether it writes a record of whose writes the audit tells by whom they were made, and from where. */
  get isAudited(): boolean {
    this.#isAudited ??= writesAudited(this);
    return this.#isAudited;
  }

  /** The values of a run in the order in which the text has their places. */
  with(values: readonly unknown[], actor: () => string = theService): unknown[] {
    return this.#places.map((place) =>
      place instanceof Slot ? values[place.index] : place instanceof ActorPlace ? actor() : place,
    );
  }
}

const built = bounded<string, Statement>(
  { what: 'texts of statements, without values', most: '2,000, and 5 MB of text', until: forGood },
  { max: 2_000, maxSize: 5_000_000, sizeCalculation: ({ text }, { length }) => text.length + length },
);

/** The statement of that shape, built when it is asked for first. The shape says everything of it but the values of its places. */
export function statementOf(shape: string, build: () => Compilable, options?: StatementOptions): Statement {
  let statement = built.get(shape);
  if (!statement) {
    statement = new Statement(build(), options);
    built.set(shape, statement);
  }
  return statement;
}

/** Conditions that all have to hold, as SQL text with places; true where there are none. */
export const every = (conditions: readonly string[]): Expression<SqlBool> =>
  conditions.length
    ? sql.join<SqlBool>(
        conditions.map((text) => fragment(text)),
        sql.raw(' and '),
      )
    : sql<SqlBool>`true`;

/** Builds the conditions of a statement, and knows what they read. */
export interface Params extends Param {
  readonly noted: Noted;
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
