import { channel } from 'node:diagnostics_channel';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { tracing } from '../kernel/tracing.js';

/** Most statements that a connection keeps prepared; each of them takes memory at the server. */
export const mostPrepared = 500;

/** Every statement is told here, with its text, while somebody listens. */
export const statements = channel('courtside:statement');

type Done = (error: Error | undefined, result: pg.QueryResult) => void;

/** A connection that tells of its statements. It prepares none: what it sends, poolers understand that know nothing of prepared statements. */
export class UnpreparedClient extends pg.Client {
  /** A NUL would end a text that values are written into: the server would see half of it. Told as the server tells of values on their own. */
  #refuse(done: Done | undefined): Promise<never> | undefined {
    const error = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' });
    return done ? void process.nextTick(done, error) : Promise.reject(error);
  }

  /** Sends a statement with its values. */
  protected run(text: string, values: unknown[], done: Done | undefined): unknown {
    return done ? super.query(text, values, done) : super.query(text, values);
  }

  protected submit(query: pg.Query): unknown {
    return super.query(query);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads the method a dozen times
  #send(config: any, values: any, callback: any): any {
    const isText = typeof config === 'string';
    if (isText && Array.isArray(values) && values.length > 0) return this.run(config, values, callback);
    if (isText && config.includes('\0')) return this.#refuse(typeof values === 'function' ? values : callback);
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

/** A query that first forgets statements: by the protocol and not by `deallocate`, which poolers between do not understand. */
function forgetting(names: readonly string[], query: pg.Query): pg.Query {
  const { submit } = query;
  query.submit = (connection: pg.Connection) => {
    for (const name of names) connection.close({ type: 'S', name }, true);
    return submit.call(query, connection);
  };
  return query;
}

/** A connection that prepares every statement with parameters under a name of its own, and forgets the least used ones. */
export class PreparedClient extends UnpreparedClient {
  #made = 0;
  #forgotten: string[] = [];
  readonly #names = new LRUCache<string, string>({ max: mostPrepared, dispose: (name) => this.#forgotten.push(name) });

  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known) return known;
    this.#made += 1;
    const name = `s${this.#made}`;
    this.#names.set(text, name);
    return name;
  }

  protected override run(text: string, values: unknown[], done: Done | undefined): unknown {
    const name = this.#nameOf(text);
    const forgotten = this.#forgotten.splice(0);
    const send = (settle: Done): unknown => {
      // Named when it is made: pg copies a configuration property by property, which takes longer than all the rest.
      const query = Object.assign(new pg.Query(text, values, settle), { name });
      return this.submit(forgotten.length ? forgetting(forgotten, query) : query);
    };
    if (done) return send(done);
    return new Promise((resolve, reject) => send((error, result) => (error ? reject(error) : resolve(result))));
  }
}
