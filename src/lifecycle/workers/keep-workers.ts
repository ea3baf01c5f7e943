import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { end, keepGoing, type Life, lifeOf } from '../keep-going.js';
import { type Pace, usual } from '../pace.js';
import type { Served } from '../serve.js';
import { hangUpWith } from './handed.js';
import { type ToWorker, told, type WorkerPart } from './messages.js';

/** How long a worker may take to end, in milliseconds, beside what it drains: a little longer than it gives itself. */
const patience = 27_000;

interface Keeping {
  count: number;
  databaseUrl: string;
  writeKey: string;
  /** Seconds in which workers drain. */
  drainDelay: number;
  log: Pick<Logger, 'warn' | 'info'>;
  pace?: Pace;
}

/** Processes of the service, each of which is started again when it dies or hangs. */
export class Workers {
  readonly #stopping = new AbortController();
  readonly #lives = new Map<number, Life>();
  /** What the first one has told: the database is ready since then. */
  #first: Served | null = null;

  constructor(readonly keeping: Keeping) {}

  /**
   * Starts them all. The first one prepares the database, and keeps doing the background jobs, by its successors: they come back within seconds,
   * and a job that kills its process takes one of them at a time with it. Rejects when it ends before it is up; the others are started again.
   */
  async start(): Promise<Served> {
    const numbers = Array.from({ length: this.keeping.count }, (_, index) => index + 1);
    const lives = numbers.map((number) => this.#begin(number));
    const [first, ...others] = lives;
    if (!first) throw new Error('there is no worker');
    // They load what they run while the first one prepares the database.
    const waiting = others.map(({ child, ended }) => Promise.race([told(child, 'waits'), ended]));
    this.#first = await this.#isUp(first, 1);
    const served = this.#first;
    for (const [index, life] of lives.entries()) {
      const up = index ? (waiting[index - 1] ?? Promise.resolve()).then(() => this.#isUp(life, index + 1, true)) : undefined;
      void this.#keep(index + 1, life, up);
    }
    await Promise.all(lives.map((life, index) => (index ? Promise.race([told(life.child, 'up'), life.ended]) : undefined)));
    return served;
  }

  /** Has all of them end by a signal, and waits until they have. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#stopping.abort();
    const longest = patience + this.keeping.drainDelay * 1000;
    await Promise.all([...this.#lives.values()].map((life) => end(life, signal, longest)));
  }

  #begin(number: number): Life {
    const { process: child } = cluster.fork();
    hangUpWith(child);
    const life = lifeOf(child);
    this.#lives.set(number, life);
    return life;
  }

  /** Gives a worker its part when it waits for it, and what it tells when it takes requests. */
  async #isUp({ child, ended }: Life, number: number, isWaiting = false): Promise<Served> {
    const over = ended.then((how) => Promise.reject(new Error(how)));
    if (!isWaiting) await Promise.race([told(child, 'waits'), over]);
    const up = told(child, 'up');
    const { databaseUrl, writeKey, count } = this.keeping;
    const part: WorkerPart = {
      kind: 'part',
      worker: number,
      of: count,
      databaseUrl,
      writeKey,
      prepares: this.#first === null,
      demoTokens: this.#first?.demoTokens ?? null,
      jobs: number === 1,
    };
    child.send(part, () => undefined);
    return Promise.race([up, over]);
  }

  async #keep(number: number, first: Life, up?: Promise<unknown>): Promise<void> {
    const { log, pace = usual } = this.keeping;
    await up?.catch(() => undefined);
    await keepGoing(first, {
      begin: () => this.#begin(number),
      isUp: async (life) => {
        await this.#isUp(life, number);
        log.info({ worker: number, pid: life.child.pid }, 'a worker is up again');
      },
      answers: ({ child }, signal) => {
        const question: ToWorker = { kind: 'question' };
        child.send(question, () => undefined);
        return told(child, 'answer', signal).then(
          () => true,
          () => false,
        );
      },
      tell: (how, pause) => log.warn({ worker: number, seconds: pause / 1000 }, `a worker ${how} and is started again`),
      pace,
      stopping: this.#stopping.signal,
    });
  }
}
