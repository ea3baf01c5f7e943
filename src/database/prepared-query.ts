import pg from 'pg';
import { serialize } from 'pg-protocol';
import { bounded, forGood } from '../kernel/bounded.js';
import { objectMaker } from '../kernel/declare/object-maker.js';
import type { RowMessage } from './row-parser.js';

/** How a statement ends. */
export type Done = (error: Error | undefined, result: pg.QueryResult) => void;

/** pg's query, with what its types leave out. */
interface Query {
  _result: pg.QueryResult & { _parsers?: Parse[] };
  _accumulateRows: boolean;
  /** What is told when the server is ready for the next statement. */
  _canceledDueToError: unknown;
  submit(connection: pg.Connection): void;
  handleDataRow(message: RowMessage): void;
  handleReadyForQuery(connection: pg.Connection): void;
}
const Query = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Query;
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

type Parse = (text: string) => unknown;

type ReadRow = (message: RowMessage) => pg.QueryResultRow;

const asText: unknown = pg.types.getTypeParser(pg.types.builtins.TEXT);

/** Compiles what reads a row's values by the parsers of its columns. */
function rowReader(fields: readonly pg.FieldDef[], parsers: readonly Parse[]): ReadRow {
  const columns = fields.map(({ name }, index): [string, string] => {
    return [name, parsers[index] === asText ? 'from.next()' : `(value = from.next()) === null ? null : parse${index}(value)`];
  });
  return objectMaker(columns, Object.fromEntries(parsers.map((parse, index) => [`parse${index}`, parse])));
}

const readers = bounded<string, ReadRow>(
  { what: 'what reads the rows of statements, by their columns', most: '1,000', until: forGood },
  { max: 1_000 },
);

/**
 * How the rows of a prepared statement are read, which never changes: PostgreSQL refuses to run it when its columns have. All connections
 * share what is compiled for it when it runs for the second time: many statements run once.
 */
export class RowForm {
  #row: ReadRow | null = null;

  constructor(
    readonly fields: pg.FieldDef[],
    readonly parsers: readonly Parse[],
  ) {}

  get row(): ReadRow {
    this.#row ??= this.#reader();
    return this.#row;
  }

  #reader(): ReadRow {
    const columns = this.fields.map(({ name, dataTypeID, format }) => `${name} ${dataTypeID} ${format}`).join();
    const reader = readers.get(columns) ?? rowReader(this.fields, this.parsers);
    readers.set(columns, reader);
    return reader;
  }
}

const quoted = /["\\]/;

/** A value as it is sent. Lists of ids, the longest there are, need no look at each of them. */
function sent(value: unknown): unknown {
  if (!Array.isArray(value) || !value.length || !value.every((item) => typeof item === 'string') || quoted.test(value.join('')))
    return prepareValue(value);
  return `{"${value.join('","')}"}`;
}

const executed = Buffer.concat([serialize.execute(), serialize.sync()]);

/** A prepared statement with its values. Once its rows have been described, it runs without asking for that again, in one write. */
export class PreparedQuery extends Query {
  constructor(
    readonly name: string,
    text: string,
    readonly values: unknown[],
    done: Done,
    /** Statements that the server forgets first. */
    readonly forgotten: readonly string[],
    readonly shape: RowForm | undefined,
    readonly learn: (shape: RowForm) => void,
  ) {
    super(text, values, done);
  }

  /** The message with the values; null where one cannot be sent, which is told as soon as the server is ready again. */
  #bound(connection: pg.Connection): Buffer | null {
    try {
      return serialize.bind({ statement: this.name, values: this.values, valueMapper: sent });
    } catch (error) {
      this._canceledDueToError = error;
      connection.sync();
      return null;
    }
  }

  override submit(connection: pg.Connection): void {
    // By the protocol and not by `deallocate`, which poolers between do not understand.
    for (const name of this.forgotten) connection.close({ type: 'S', name }, true);
    const bound = this.#bound(connection);
    if (!bound) return;
    if (!this.shape) {
      super.submit(connection);
      return;
    }
    this._result.fields = this.shape.fields;
    this._accumulateRows = true;
    connection.stream.write(Buffer.concat([bound, executed]));
  }

  override handleDataRow(message: RowMessage): void {
    if (!this.shape) {
      super.handleDataRow(message);
      return;
    }
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this.shape.row(message));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    const { fields, _parsers: parsers = [] } = this._result;
    if (!this.shape && !this._canceledDueToError) this.learn(new RowForm(fields, parsers));
    super.handleReadyForQuery(connection);
  }
}
