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

/** Query builder for the tables of records, without a connection. */
export const queryBuilder = new Kysely<Record<string, Row>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Placeholder for a value that is supplied for each run, identified by its index. */
class Placeholder {
  constructor(readonly index: number) {}
}

const placeholders: RawBuilder<never>[] = [];

/** Returns the placeholder for a value in a typed statement, numbered from 1, like `$1` in SQL text. */
export function placeholder(number: number): RawBuilder<never> {
  const builder = placeholders[number] ?? sql<never>`${new Placeholder(number - 1)}`;
  placeholders[number] = builder;
  return builder;
}

/** Delimiter before and after a placeholder number in a fragment. SQL text never contains this character, because PostgreSQL rejects it. */
const delimiter = '\u0001';

/** Returns the placeholder for a value in a fragment, numbered from 1. */
export const textPlaceholder = (number: number): string => `${delimiter}${number}${delimiter}`;

/** Converts a fragment to plain text with placeholders such as `$1`, for hashes that must stay the same in later releases. */
export const plainSql = (text: string): string =>
  text
    .split(delimiter)
    .map((part, index) => (index % 2 === 1 ? `$${part}` : part))
    .join('');

/** Converts SQL text with placeholders to an expression of a typed statement. */
export function fragment<T = SqlBool>(text: string): RawBuilder<T> {
  const parts = text.split(delimiter);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const parameters = parts.filter((_, index) => index % 2 === 1).map((number) => placeholder(Number(number)));
  return sql<T>(Object.assign(texts, { raw: texts }), ...parameters);
}

/** Returns the actor for writes by the service itself, which is an empty string. */
const serviceActor = () => '';

/** Placeholder of the actor, which the session supplies. */
class ActorPlaceholder {}

/**
 * Column that is always empty and sets the actor in the same statement as the write, like `setActorSql`. This works because triggers run
 * after the columns of all returned rows have been computed.
 */
export const setActorColumn: RawBuilder<string> = sql<string>`left(set_config('courtside.actor', ${new ActorPlaceholder()}, true), 0)`;

/** Compiler that sends each value once, even if it has several placeholders. All placeholders of a value must have the same type. */
class DeduplicatingCompiler extends PostgresQueryCompiler {
  readonly #numbers = new Map<unknown, number>();

  protected override appendValue(parameter: unknown): void {
    const existingNumber = this.#numbers.get(parameter);
    if (existingNumber === undefined) {
      super.appendValue(parameter);
      this.#numbers.set(parameter, this.numParameters);
    } else this.append(`$${existingNumber}`);
  }
}

/**
 * How PostgreSQL plans a statement. `custom` makes a new plan for the values of each run: the best plan for a search depends on how frequent
 * the word is, and a generic plan would scan a million names for a rare word.
 */
export type PlanMode = 'generic' | 'custom';

/** Parameters of a statement with the plan mode `custom`. The driver does not prepare this statement. */
export class CustomPlanParameters extends Array<unknown> {}

interface StatementOptions {
  /** Default: `generic`. */
  readonly planMode?: PlanMode;
  /** Whether a value that has several placeholders is sent only once. */
  readonly deduplicatesValues?: boolean;
  /** Facts about the SQL text in the statement. */
  readonly statedFacts?: StatedFacts;
}

/** Returns an expression without text that states the facts about the SQL text around it. */
const statedFactsPart = (statedFacts: StatedFacts): RawBuilder<never> =>
  sql<never>`${{
    expressionType: undefined,
    toOperationNode: () => ({ kind: 'RawNode', sqlFragments: [''], parameters: [], statedFacts }) as const,
  }}`;

/** Converts an SQL expression that refers to a row and has no values to an expression of a typed statement. */
export function expressionOf<T>(build: (param: Param) => string, row = 'r'): RawBuilder<T> {
  const param = collect([]);
  const text = build(param.for(row));
  return sql<T>`${sql.raw(text)}${statedFactsPart(param.statedFacts)}`;
}

/** Compiled statement that can run many times with different values. */
export class Statement implements Facts {
  static #count = 0;
  /** Unique in this process. */
  readonly number = ++Statement.#count;
  readonly text: string;
  readonly kind: Facts['kind'];
  readonly readTables: Facts['readTables'];
  readonly writtenTables: Facts['writtenTables'];
  readonly otherDependency: Facts['otherDependency'];
  readonly planMode: PlanMode;
  #isAudited: boolean | null = null;
  readonly #parameters: readonly unknown[];

  constructor(query: Compilable, { planMode = 'generic', deduplicatesValues = false, statedFacts }: StatementOptions = {}) {
    const compiled = query.compile();
    const { sql: text, parameters } = deduplicatesValues
      ? new DeduplicatingCompiler().compileQuery(compiled.query, compiled.queryId)
      : compiled;
    const { kind, readTables, writtenTables, otherDependency } = factsOf(compiled.query, statedFacts);
    this.text = text;
    this.kind = kind;
    this.readTables = readTables;
    this.writtenTables = writtenTables;
    this.otherDependency = otherDependency;
    this.planMode = planMode;
    this.#parameters = parameters;
  }

  /** Whether the statement writes an audited record. */
  get isAudited(): boolean {
    this.#isAudited ??= writesAuditedTable(this);
    return this.#isAudited;
  }

  /** Returns the values for a run, in the order of the placeholders in the text. */
  parametersFor(values: readonly unknown[], actor: () => string = serviceActor): unknown[] {
    const resolve = (parameter: unknown): unknown => {
      if (parameter instanceof Placeholder) return values[parameter.index];
      return parameter instanceof ActorPlaceholder ? actor() : parameter;
    };
    return this.planMode === 'custom' ? CustomPlanParameters.from(this.#parameters, resolve) : this.#parameters.map(resolve);
  }
}

const statementCache = createCache<string, Statement>(
  { name: 'texts of statements, without values', limit: '2,000, and 5 MB of text', validity: validForever },
  { max: 2_000, maxSize: 5_000_000, sizeCalculation: ({ text }, { length }) => text.length + length },
);

/** Returns the statement for a shape. Builds it on first use. Two statements with the same shape may differ only in their values. */
export function statementOf(shape: string, build: () => Compilable, options?: StatementOptions): Statement {
  let statement = statementCache.get(shape);
  if (!statement) {
    statement = new Statement(build(), options);
    statementCache.set(shape, statement);
  }
  return statement;
}

/** Joins SQL conditions with `and`. Returns the condition `true` for an empty list. */
export const allConditions = (conditions: readonly string[]): Expression<SqlBool> =>
  conditions.length
    ? sql.join<SqlBool>(
        conditions.map((text) => fragment(text)),
        sql.raw(' and '),
      )
    : sql<SqlBool>`true`;

/** Builder for the conditions of a statement. Also collects their dependencies. */
export interface Params extends Param {
  readonly statedFacts: StatedFacts;
}

/** Returns a builder for conditions. `add` adds a value and returns its placeholder. */
export function paramsFor(add: (value: unknown) => string): Params {
  const tables: string[] = [];
  const statedFacts: { tables: string[]; otherDependency: string | null } = { tables, otherDependency: null };
  const dependOn = (name: string) => {
    statedFacts.otherDependency ??= name;
  };
  const table = (name: string) => {
    tables.push(name);
    return name;
  };
  const time = (name: string) => {
    dependOn(name);
    return `${name}()`;
  };
  const build = (row: string, key: string, position?: string): Params =>
    Object.assign((value: unknown) => add(value), {
      row,
      key,
      position,
      statedFacts,
      table,
      time,
      dependOn,
      for: (otherRow: string, otherKey = key) => build(otherRow, otherKey, position),
      at: (pastPosition: string) => build(row, key, pastPosition),
    });
  return build('r', 'p.key');
}

/** Returns a builder for conditions in a compiled statement. Appends their values to `values`. */
export const collect = (values: unknown[]): Params => paramsFor((value) => textPlaceholder(values.push(value)));

/** Returns a builder for conditions in SQL text. Appends their values to `values`. */
export const collectForText = (values: unknown[]): Params => paramsFor((value) => `$${values.push(value)}`);

/** SQL expression for the current time of the database. Unlike `now()`, it advances within a transaction. */
export const clockTimestamp = expressionOf<string>(({ time }) => time('clock_timestamp'));
