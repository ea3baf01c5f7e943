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
import { type Effects, effectsOf } from './facts.js';

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

/** SQL text as a part of a statement; where it has `$1`, it has the place of the first value. */
export function fragment<T = SqlBool>(text: string): RawBuilder<T> {
  const parts = text.split(/\$(\d+)/);
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

/** A statement that was built and compiled once, and runs with other values each time. */
export class Statement {
  static #made = 0;
  /** No other one of this process has it. */
  readonly number = ++Statement.#made;
  readonly text: string;
  readonly kind: Effects['kind'];
  readonly writes: Effects['writes'];
  #isAudited: boolean | null = null;
  readonly #places: readonly unknown[];

  /** With `isShared` a value goes out once, in however many places it stands: they are all of one type then. */
  constructor(query: Compilable, isShared = false) {
    const { sql: text, parameters, query: node } = query.compile();
    const { kind, writes } = effectsOf(node);
    this.kind = kind;
    this.writes = writes;
    this.#places = isShared ? [...new Set(parameters)] : parameters;
    this.text = isShared
      ? text.replaceAll(/\$(\d+)/g, (_, number) => `$${this.#places.indexOf(parameters[number - 1]) + 1}`)
      : text;
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
export function statementOf(shape: string, build: () => Compilable, isShared = false): Statement {
  let statement = built.get(shape);
  if (!statement) {
    statement = new Statement(build(), isShared);
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

/** Collects the values of a statement: the place of each, as `$1`. */
export const collect =
  (values: unknown[]): Param =>
  (value) =>
    `$${values.push(value)}`;
