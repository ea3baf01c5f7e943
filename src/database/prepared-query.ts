import pg from 'pg';
import { serialize } from 'pg-protocol';
import { createCache, validForever } from '../kernel/caches.js';
import { objectMaker } from '../kernel/declare/object-maker.js';
import type { RowMessage } from './row-parser.js';

/** Callback that receives the error or the result of a statement. */
export type ResultCallback = (error: Error | undefined, result: pg.QueryResult) => void;

/** Internal members of the class `Query` of pg. */
interface Query {
  _result: pg.QueryResult & { _parsers?: Parse[] };
  _accumulateRows: boolean;
  /** Error to report when the server is ready for the next statement. */
  _canceledDueToError: unknown;
  submit(connection: pg.Connection): void;
  handleDataRow(message: RowMessage): void;
  handleReadyForQuery(connection: pg.Connection): void;
}
const Query = pg.Query as unknown as new (text: string, values: unknown[], callback: ResultCallback) => Query;
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

type Parse = (text: string) => unknown;

type ReadRow = (message: RowMessage) => pg.QueryResultRow;

const textParser: unknown = pg.types.getTypeParser(pg.types.builtins.TEXT);

/** Compiles a function that reads the values of a row with the parsers of its columns. */
function compileRowReader(fields: readonly pg.FieldDef[], parsers: readonly Parse[]): ReadRow {
  const columns = fields.map(({ name }, index): [string, string] => {
    return [name, parsers[index] === textParser ? 'from.next()' : `(value = from.next()) === null ? null : parse${index}(value)`];
  });
  return objectMaker(columns, Object.fromEntries(parsers.map((parse, index) => [`parse${index}`, parse])));
}

const rowReaders = createCache<string, ReadRow>(
  { name: 'compiled row readers, keyed by columns', limit: '1,000', validity: validForever },
  { max: 1_000 },
);

/**
 * Columns of the rows that a prepared statement returns. They never change, because PostgreSQL refuses to run the statement if its columns
 * have changed. The row reader is compiled on the second run, because many statements run only once. Connections share the compiled
 * readers.
 */
export class StatementShape {
  #compiledReader: ReadRow | null = null;

  constructor(
    readonly fields: pg.FieldDef[],
    readonly parsers: readonly Parse[],
  ) {}

  get readRow(): ReadRow {
    this.#compiledReader ??= this.#sharedReader();
    return this.#compiledReader;
  }

  #sharedReader(): ReadRow {
    const columns = this.fields.map(({ name, dataTypeID, format }) => `${name} ${dataTypeID} ${format}`).join();
    const reader = rowReaders.get(columns) ?? compileRowReader(this.fields, this.parsers);
    rowReaders.set(columns, reader);
    return reader;
  }
}

const needsEscape = /["\\]/;

/** Converts a value to a statement parameter. Lists of IDs, which are the longest lists, have a fast path. */
function toParameter(value: unknown): unknown {
  if (
    !Array.isArray(value) ||
    !value.length ||
    !value.every((item) => typeof item === 'string') ||
    needsEscape.test(value.join(''))
  )
    return prepareValue(value);
  return `{"${value.join('","')}"}`;
}

const executeMessages = Buffer.concat([serialize.execute(), serialize.sync()]);

/** Prepared statement with its values. If the columns of its rows are known, it is sent in one write, without a describe message. */
export class PreparedQuery extends Query {
  constructor(
    readonly name: string,
    text: string,
    readonly values: unknown[],
    callback: ResultCallback,
    /** Prepared statements to close before this statement runs. */
    readonly statementsToClose: readonly string[],
    readonly shape: StatementShape | undefined,
    readonly onShape: (shape: StatementShape) => void,
  ) {
    super(text, values, callback);
  }

  /** Returns the bind message. Null if a value cannot be serialized. The error is then reported when the server is ready. */
  #bindMessage(connection: pg.Connection): Buffer | null {
    try {
      return serialize.bind({ statement: this.name, values: this.values, valueMapper: toParameter });
    } catch (error) {
      this._canceledDueToError = error;
      connection.sync();
      return null;
    }
  }

  override submit(connection: pg.Connection): void {
    // Uses a protocol message instead of the SQL command `deallocate`, which poolers do not understand.
    for (const name of this.statementsToClose) connection.close({ type: 'S', name }, true);
    const bindMessage = this.#bindMessage(connection);
    if (!bindMessage) return;
    if (!this.shape) {
      super.submit(connection);
      return;
    }
    this._result.fields = this.shape.fields;
    this._accumulateRows = true;
    connection.stream.write(Buffer.concat([bindMessage, executeMessages]));
  }

  override handleDataRow(message: RowMessage): void {
    if (!this.shape) {
      super.handleDataRow(message);
      return;
    }
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this.shape.readRow(message));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    const { fields, _parsers: parsers = [] } = this._result;
    if (!this.shape && !this._canceledDueToError) this.onShape(new StatementShape(fields, parsers));
    super.handleReadyForQuery(connection);
  }
}
