import { channel } from 'node:diagnostics_channel';
import type { Duplex } from 'node:stream';
import type { LRUCache } from 'lru-cache';
import pg from 'pg';
import { createCache, validForever } from '../kernel/caches.js';
import { errorCode } from '../kernel/database-errors.js';
import { CustomPlanParameters } from '../kernel/statement.js';
import { tracing } from '../kernel/tracing.js';
import { PreparedQuery, type ResultCallback, type StatementShape } from './prepared-query.js';
import { RowParser } from './row-parser.js';

/** Maximum number of prepared statements per connection. Each one uses memory on the server. */
export const maxPreparedStatements = 500;

/** Diagnostics channel that publishes the text of every statement. */
export const statementChannel = channel('courtside:statement');

/** Internal members of a pg connection. */
interface PgConnection extends pg.Connection {
  readonly _emitMessage: boolean;
  attachListeners(stream: Duplex): void;
}

/** Internal method of a pg client that receives rows. */
interface RowHandler {
  _handleDataRow(message: object): void;
}

/** Emits the messages of the server as pg does, but parses rows with a faster parser and passes them directly to the client. */
function attachParser(connection: PgConnection, client: RowHandler, stream: Duplex): void {
  const parser = new RowParser();
  const emitMessage = (message: { name: string }) => {
    if (connection._emitMessage) connection.emit('message', message);
    if (message.name === 'dataRow') client._handleDataRow(message);
    else connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
  };
  stream.on('data', (bytes: Buffer) => parser.parse(bytes, emitMessage));
}

/** pg client that prepares no statements, for poolers that do not support them. Publishes the text of each statement. */
export class UnpreparedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: PgConnection };
    connection.attachListeners = (stream) => attachParser(connection, this as unknown as RowHandler, stream);
  }

  /**
   * Rejects a statement that contains a NUL character, because the server would cut off the text there. The error is the same as the error
   * of PostgreSQL for a value that contains NUL.
   */
  #rejectNul(callback: ResultCallback | undefined): Promise<never> | undefined {
    const error = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' });
    return callback ? void process.nextTick(callback, error) : Promise.reject(error);
  }

  /** Sends a statement with its values. */
  protected run(text: string, values: unknown[], callback: ResultCallback | undefined): unknown {
    return callback ? super.query(text, values, callback) : super.query(text, values);
  }

  protected submit(query: pg.Submittable): unknown {
    return super.query(query);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads the method a dozen times
  #send(config: any, values: any, callback: any): any {
    const isText = typeof config === 'string';
    // The text is checked even if the statement has parameters, because the ORM writes some search values into the text.
    if (isText && config.includes('\0')) return this.#rejectNul(typeof values === 'function' ? values : callback);
    if (isText && Array.isArray(values) && values.length > 0) return this.run(config, values, callback);
    return super.query(config, values, callback);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads the method a dozen times
  override query(config: any, values?: any, callback?: any): any {
    const text = typeof config === 'string' ? config : (config.text ?? '');
    if (statementChannel.hasSubscribers) statementChannel.publish(text);
    // Only statements that return a promise are traced. Statements with a callback do not belong to a request.
    if (!tracing || callback || typeof values === 'function' || config.submit) return this.#send(config, values, callback);
    return tracing.statement(text, (values ?? config.values ?? []).length > 0, () => this.#send(config, values, callback));
  }
}

/** Whether a statement failed because a migration has changed the columns of its result since it was prepared. */
const isOutdatedPlan = (error: Error): boolean =>
  errorCode(error) === '0A000' && error.message === 'cached plan must not change result type';

interface PreparedStatement {
  readonly name: string;
  shape?: StatementShape;
}

/**
 * pg client that prepares each statement with parameters under its own name. Above the limit of `maxPreparedStatements`, it closes the
 * least recently used prepared statements.
 */
export class PreparedClient extends UnpreparedClient {
  #preparedCount = 0;
  #evictedNames: string[] = [];
  readonly #prepared: LRUCache<string, PreparedStatement> = createCache(
    {
      name: 'prepared statements and their row shapes',
      limit: `${maxPreparedStatements} per connection`,
      validity: validForever,
    },
    { max: maxPreparedStatements, dispose: ({ name }) => this.#evictedNames.push(name) },
  );

  #preparedFor(text: string): PreparedStatement {
    const cached = this.#prepared.get(text);
    if (cached) return cached;
    this.#preparedCount += 1;
    const statement: PreparedStatement = { name: `s${this.#preparedCount}` };
    this.#prepared.set(text, statement);
    return statement;
  }

  protected override run(text: string, values: unknown[], callback: ResultCallback | undefined): unknown {
    if (values instanceof CustomPlanParameters) return super.run(text, values, callback);
    const prepared = this.#preparedFor(text);
    const evictedNames = this.#evictedNames.splice(0);
    const setShape = (shape: StatementShape) => {
      prepared.shape = shape;
    };
    // Constructs the query directly. pg would copy the configuration property by property, which would take most of the time of this
    // function.
    const send = (callback: ResultCallback): unknown =>
      this.submit(new PreparedQuery(prepared.name, text, values, callback, evictedNames, prepared.shape, setShape));
    if (callback) return send(callback);
    return new Promise((resolve, reject) =>
      send((error, result) => {
        if (!error) return resolve(result);
        if (isOutdatedPlan(error)) this.#prepared.delete(text);
        reject(error);
      }),
    );
  }
}
