import { channel } from 'node:diagnostics_channel';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** Most statements that a connection keeps prepared; each of them takes memory at the server. */
export const mostPrepared = 500;

/** Every statement is told here, with its text, while somebody listens; one that was told where it was sent (`isTold`) is not told again. */
export const statements = channel('courtside:statement');

type Done = (error: Error | undefined, result: pg.QueryResult) => void;

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
export class PreparedClient extends pg.Client {
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

  #run(text: string, values: unknown[], done: Done | undefined): unknown {
    const name = this.#nameOf(text);
    const forgotten = this.#forgotten.splice(0);
    const send = (settle: Done): unknown => {
      // Named when it is made: pg copies a configuration property by property, which takes longer than all the rest.
      const query = Object.assign(new pg.Query(text, values, settle), { name });
      return super.query(forgotten.length ? forgetting(forgotten, query) : query);
    };
    if (done) return send(done);
    return new Promise((resolve, reject) => send((error, result) => (error ? reject(error) : resolve(result))));
  }

  /** A NUL would end a text that values are written into: the server would see half of it. Told as the server tells of values on their own. */
  #refuse(done: Done | undefined): Promise<never> | undefined {
    const error = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' });
    return done ? void process.nextTick(done, error) : Promise.reject(error);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads the method a dozen times
  override query(config: any, values?: any, callback?: any): any {
    const isText = typeof config === 'string';
    if (statements.hasSubscribers && !config.isTold) statements.publish(isText ? config : (config.text ?? ''));
    if (isText && Array.isArray(values) && values.length > 0) return this.#run(config, values, callback);
    if (config.isTold && config.values.length > 0) return this.#run(config.text, config.values, callback ?? values);
    if (isText && config.includes('\0')) return this.#refuse(typeof values === 'function' ? values : callback);
    return super.query(config, values, callback);
  }
}
