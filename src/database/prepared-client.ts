import { channel } from 'node:diagnostics_channel';
import type { Duplex } from 'node:stream';
import type { LRUCache } from 'lru-cache';
import pg from 'pg';
import { bounded, forGood } from '../kernel/bounded.js';
import { plannedByValues } from '../kernel/statement.js';
import { tracing } from '../kernel/tracing.js';
import { type Done, PreparedQuery, type RowForm } from './prepared-query.js';
import { RowParser } from './row-parser.js';

/** Most statements that a connection keeps prepared; each of them takes memory at the server. */
export const mostPrepared = 500;

/** Every statement is told here, with its text, while somebody listens. */
export const statements = channel('courtside:statement');

/** What a connection of pg has beside what its type tells. */
interface Listening extends pg.Connection {
  readonly _emitMessage: boolean;
  attachListeners(stream: Duplex): void;
}

/** What pg does with a row. */
interface ReadingRows {
  _handleDataRow(message: object): void;
}

/** Tells of the messages that come, as pg does, but for the parser of rows and the way they take: there are hundreds of them. */
function listen(connection: Listening, client: ReadingRows, stream: Duplex): void {
  const parser = new RowParser();
  const tell = (message: { name: string }) => {
    if (connection._emitMessage) connection.emit('message', message);
    if (message.name === 'dataRow') client._handleDataRow(message);
    else connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
  };
  stream.on('data', (bytes: Buffer) => parser.parse(bytes, tell));
}

/** A connection that tells of its statements. It prepares none: what it sends, poolers understand that know nothing of prepared statements. */
export class UnpreparedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Listening };
    connection.attachListeners = (stream) => listen(connection, this as unknown as ReadingRows, stream);
  }

  /** A NUL would end a text that values are written into: the server would see half of it. Told as the server tells of values on their own. */
  #refuse(done: Done | undefined): Promise<never> | undefined {
    const error = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' });
    return done ? void process.nextTick(done, error) : Promise.reject(error);
  }

  /** Sends a statement with its values. */
  protected run(text: string, values: unknown[], done: Done | undefined): unknown {
    return done ? super.query(text, values, done) : super.query(text, values);
  }

  protected submit(query: pg.Submittable): unknown {
    return super.query(query);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads the method a dozen times
  #send(config: any, values: any, callback: any): any {
    const isText = typeof config === 'string';
    // Also beside values: the ORM writes what it looks for into the text where it is no value of the request alone.
    if (isText && config.includes('\0')) return this.#refuse(typeof values === 'function' ? values : callback);
    if (isText && Array.isArray(values) && values.length > 0) return this.run(config, values, callback);
    return super.query(config, values, callback);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads the method a dozen times
  override query(config: any, values?: any, callback?: any): any {
    const text = typeof config === 'string' ? config : (config.text ?? '');
    if (statements.hasSubscribers) statements.publish(text);
    // Traced statements are awaited: what calls back instead belongs to no request.
    if (!tracing || callback || typeof values === 'function' || config.submit) return this.#send(config, values, callback);
    return tracing.statement(text, (values ?? config.values ?? []).length > 0, () => this.#send(config, values, callback));
  }
}

interface Prepared {
  readonly name: string;
  shape?: RowForm;
}

/** A connection that prepares every statement with parameters under a name of its own, and forgets the least used ones. */
export class PreparedClient extends UnpreparedClient {
  #made = 0;
  #forgotten: string[] = [];
  readonly #prepared: LRUCache<string, Prepared> = bounded(
    { what: 'names of prepared statements, and what their rows are like', most: `${mostPrepared} a connection`, until: forGood },
    { max: mostPrepared, dispose: ({ name }) => this.#forgotten.push(name) },
  );

  #preparedFor(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    this.#made += 1;
    const made: Prepared = { name: `s${this.#made}` };
    this.#prepared.set(text, made);
    return made;
  }

  protected override run(text: string, values: unknown[], done: Done | undefined): unknown {
    if (text.startsWith(plannedByValues)) return super.run(text, values, done);
    const prepared = this.#preparedFor(text);
    const forgotten = this.#forgotten.splice(0);
    const learn = (shape: RowForm) => {
      prepared.shape = shape;
    };
    // Made as a query: pg copies a configuration property by property, which takes longer than all the rest.
    const send = (settle: Done): unknown =>
      this.submit(new PreparedQuery(prepared.name, text, values, settle, forgotten, prepared.shape, learn));
    if (done) return send(done);
    return new Promise((resolve, reject) => send((error, result) => (error ? reject(error) : resolve(result))));
  }
}
