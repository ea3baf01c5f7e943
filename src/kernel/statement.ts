import {
  type Compilable,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { writesAuditedTable } from './audit.js';
import { createCache, validForever } from './caches.js';
import { dependentSql, Parameter, Shape, type SqlExpression, textOf } from './declare/expression.js';
import type { Row } from './declare/row.js';
import { dependenciesOf, type SqlText, type StatementFacts, sqlForReading, sqlForWriting, statementFactsOf } from './facts.js';

/** Query builder for the tables of records, without a connection. */
export const queryBuilder = new Kysely<Record<string, Row>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Placeholder for a value that each run supplies. `index` is the index of the value. */
class Placeholder {
  constructor(readonly index: number) {}
}

const placeholders: RawBuilder<never>[] = [];

/** Returns the placeholder for a value in a typed statement, numbered from 1, like `$1` in SQL text. For values of expressions, see `Shape`. */
export function placeholder(number: number): RawBuilder<never> {
  const builder = placeholders[number] ?? sql<never>`${new Placeholder(number - 1)}`;
  placeholders[number] = builder;
  return builder;
}

/** Returns the actor for writes by the service itself: an empty string. */
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
 * How PostgreSQL plans a statement. `custom` makes a new plan for the values of each run: the best plan for a search depends on the
 * frequency of the word. For a rare word, a generic plan would scan a million names.
 */
export type PlanMode = 'generic' | 'custom';

/** Parameters of a statement with the plan mode `custom`. The driver does not prepare this statement. */
export class CustomPlanParameters extends Array<unknown> {}

interface StatementOptions {
  /** Default: `generic`. */
  readonly planMode?: PlanMode;
  /** Whether a value that has several placeholders is sent only once. */
  readonly deduplicatesValues?: boolean;
}

/** Compiled statement that can run many times with different values. */
export class Statement implements StatementFacts {
  static #count = 0;
  /** Number that is unique in this process. */
  readonly number = ++Statement.#count;
  readonly text: string;
  readonly kind: StatementFacts['kind'];
  readonly readTables: StatementFacts['readTables'];
  readonly writtenTables: StatementFacts['writtenTables'];
  readonly otherDependency: StatementFacts['otherDependency'];
  readonly planMode: PlanMode;
  #isAudited: boolean | null = null;
  readonly #parameters: readonly unknown[];

  /** `shape` contains the expressions in the query. */
  constructor(query: Compilable, shape: Shape, { planMode = 'generic', deduplicatesValues = false }: StatementOptions = {}) {
    const compiled = query.compile();
    const { sql: text, parameters } = deduplicatesValues
      ? new DeduplicatingCompiler().compileQuery(compiled.query, compiled.queryId)
      : compiled;
    const { kind, readTables, writtenTables, otherDependency } = statementFactsOf(compiled.query);
    this.text = text;
    this.kind = kind;
    this.readTables = readTables;
    this.writtenTables = writtenTables;
    this.otherDependency = otherDependency;
    this.planMode = planMode;
    this.#parameters = parameters.map((value) =>
      value instanceof Parameter ? new Placeholder(shape.parameters.indexOf(value)) : value,
    );
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

/**
 * Returns the statement for a shape. Builds it on first use. Two statements with the same shape may differ only in their values. A statement
 * without expressions is identified by a name.
 */
export function statementOf(shape: string | Shape, build: () => Compilable, options?: StatementOptions): Statement {
  const key = typeof shape === 'string' ? shape : shape.key;
  let statement = statementCache.get(key);
  if (!statement) {
    statement = new Statement(build(), typeof shape === 'string' ? new Shape() : shape, options);
    statementCache.set(key, statement);
  }
  return statement;
}

/** Joins conditions with `and`. Returns the condition `true` for an empty list. */
export const allConditions = (conditions: readonly OperationNodeSource[]): RawBuilder<SqlBool> =>
  conditions.length ? sql.join<SqlBool>(conditions, sql.raw(' and ')) : sql<SqlBool>`true`;

/** Returns the arguments of `Session.rows` for a query that reads rows: its text with its dependencies, and its values. */
export function readingSql(query: SqlExpression): [sql: SqlText, values: unknown[]] {
  const { parameters, values } = new Shape().add(query);
  const text = textOf(query, (parameter) => `$${parameters.indexOf(parameter) + 1}`);
  const { tables, otherDependency } = dependenciesOf(query.toOperationNode());
  return [sqlForReading(tables, text, { otherDependency }), values];
}

/** Like `readingSql`, but for a statement that writes a table. */
export function writingSql(writtenTable: string, statement: SqlExpression): [sql: SqlText, values: unknown[]] {
  const [{ text, readTables }, values] = readingSql(statement);
  return [sqlForWriting([writtenTable], text, readTables), values];
}

/** SQL expression for the current time of the database. Unlike `now()`, it advances within a transaction. */
export const clockTimestamp = dependentSql('clock_timestamp()', { otherDependency: 'clock_timestamp' }).typed<string>();
