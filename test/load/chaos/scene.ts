import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/process/port.js';
import type { OpenResources } from '../../../src/server/lifecycle/open-resources.js';
import { type MailServer, startMailServer } from '../../support/servers/counting-smtp-server.js';
import type { Postgres } from '../../support/servers/crashable-postgres.js';
import { type Process, startProcess } from '../service-process.js';
import { countWrites, sendRequest, startWorkload, token, type Workload, type WorkloadCounts } from './workload.js';

/** Database of a scene. */
type Database = Pick<Postgres, 'url' | 'stop'>;

/** Environment of a fault-injection test: a database, a mail server and services, and the guarantees that were violated so far. */
export class Scene<D extends Database = Database> {
  readonly broken: string[] = [];
  readonly #acknowledged: string[] = [];
  readonly #registered: string[] = [];
  #people = 0;
  #answers = 0;
  #refused = 0;
  #responsesLost = 0;
  #slowest = 0;

  private constructor(
    readonly resources: OpenResources,
    readonly directory: string,
    readonly postgres: D,
    readonly mails: MailServer,
  ) {}

  /**
   * Opens a scene in a separate directory with its own database. `resources` closes everything that was opened, even if this function
   * fails.
   */
  static async open<D extends Database = Postgres>(
    resources: OpenResources,
    start: (directory: string, resources: OpenResources) => Promise<D>,
  ): Promise<Scene<D>> {
    const directory = await mkdtemp(join(tmpdir(), 'courtside-chaos-'));
    resources.add(() => rm(directory, { recursive: true, force: true }));
    // When run as root, PostgreSQL runs as another user, who must be able to enter the directory.
    await chmod(directory, 0o711);
    const postgres = await start(directory, resources);
    resources.add(() => postgres.stop());
    const mails = await startMailServer();
    resources.add(() => mails.close());
    return new Scene(resources, directory, postgres, mails);
  }

  /** Starts a process of the service. `more` overrides the common environment variables. */
  async start(more: Record<string, string> = {}, flags: readonly string[] = []): Promise<Process> {
    const variables = {
      DATABASE_URL: this.postgres.url,
      BOOTSTRAP_PLATFORM_TOKEN: token,
      SMTP_URL: `smtp://127.0.0.1:${this.mails.port}`,
      RATE_LIMITS: 'address=100000/1m,account=100000/1m',
      SUBGRAPHS: 'none',
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      PORT: String(await freePort()),
      ...more,
    };
    const service = await startProcess(variables, flags);
    this.resources.add(async () => {
      // A frozen process must continue before it can exit.
      service.signal('SIGCONT');
      await service.stop();
    });
    return service;
  }

  work(origins: () => readonly string[], size?: { writers: number; readers: number }): Workload {
    const workload = startWorkload(origins, size);
    this.resources.add(() => workload.stop());
    return workload;
  }

  /** Records `otherwise` as the description of a violated guarantee, unless `isKept` is true. */
  promise(isKept: boolean, otherwise: string): void {
    if (!isKept) this.broken.push(otherwise);
  }

  /**
   * Adds the counts of a workload since the last call and checks them. Killing a process breaks its connections, and the results of its
   * requests stay unknown for a minute. While a process is frozen, its clients wait.
   */
  checkCounts(workload: Workload, { isKilled = false, standsStill = false } = {}): WorkloadCounts {
    const counts = workload.takeCounts();
    this.#answers += counts.answers;
    this.#refused += counts.refused;
    this.#responsesLost += counts.responsesLost;
    this.#acknowledged.push(...counts.acknowledged);
    if (!standsStill) this.#slowest = Math.max(this.#slowest, counts.slowest);
    const problems = standsStill ? counts.problems.filter((what) => !/ (took|had no response for) /.test(what)) : counts.problems;
    for (const each of new Set(problems)) this.broken.push(each);
    this.promise(isKilled || standsStill || counts.brokenConnections === 0, `${counts.brokenConnections} connections broke`);
    this.promise(isKilled || counts.unknown === 0, `${counts.unknown} writes have an unknown result`);
    return counts;
  }

  /** Registers users. Every user whose registration is acknowledged must receive an email. */
  async register(origin: string, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const email = `chaos-${this.#people++}@players.test`;
      const query = `mutation { register(input: { email: "${email}", password: "correct horse battery" }) { isMailSent } }`;
      const response = await sendRequest(origin, { path: '/graphql', method: 'POST', body: { query } });
      if (response?.body?.data?.register?.isMailSent) this.#registered.push(email);
      else if (response && !JSON.stringify(response.body).includes('UNAVAILABLE'))
        this.broken.push(JSON.stringify(response.body));
    }
  }

  /** Waits until a service accepts a write. Returns the elapsed seconds. */
  async recovered(origin: string, within: number): Promise<number> {
    const startedAt = performance.now();
    const query = 'mutation { createTournament(input: { title: "Recovered" }) { id } }';
    for (;;) {
      const response = await sendRequest(origin, { path: '/graphql', method: 'POST', body: { query } }).catch(() => null);
      const seconds = (performance.now() - startedAt) / 1000;
      if (response?.body?.data?.createTournament) return seconds;
      if (seconds > within) {
        this.broken.push(`no write succeeded within ${within} s after the fault: ${JSON.stringify(response)}`);
        return seconds;
      }
      await sleep(100);
    }
  }

  /** Waits for the emails to all registered users, and checks for duplicates. Returns the counts as text. */
  async delivered(within: number, { times = this.mails.times, isKilled = false } = {}): Promise<string> {
    const startedAt = performance.now();
    const missing = () => this.#registered.filter((email) => !times.has(email)).length;
    while (missing() && (performance.now() - startedAt) / 1000 < within) await sleep(100);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    // If a process dies while it sends an email, another process takes over after ten seconds.
    await sleep(12_000);
    const twice = this.#registered.filter((email) => (times.get(email) ?? 0) > 1).length;
    const maxDeliveries = Math.max(0, ...this.#registered.map((email) => times.get(email) ?? 0));
    this.promise(missing() === 0, `${missing()} of ${this.#registered.length} emails were not sent within ${within} s`);
    this.promise(maxDeliveries <= (isKilled ? 2 : 1), `an email was sent ${maxDeliveries} times`);
    return `${this.#registered.length} emails, ${missing()} lost, ${twice} duplicates, the last one after ${seconds} s`;
  }

  /** Compares the acknowledged writes with the stored rows. Returns the figures of the scene as text. */
  async counted(): Promise<string> {
    const { lost, doubled } = await countWrites(this.postgres.url, this.#acknowledged);
    this.promise(lost === 0, `${lost} acknowledged writes were lost`);
    this.promise(doubled === 0, `${doubled} writes were executed twice`);
    this.promise(this.#acknowledged.length > 0, 'nothing was written');
    return `${this.#answers} responses, ${this.#refused} of them asked for a retry, the slowest after ${this.#slowest.toFixed(1)} s; ${this.#acknowledged.length} writes acknowledged, ${this.#responsesLost} of them without a response, ${lost} lost, ${doubled} duplicates`;
  }
}

/** Opens the scene of a fault. */
export type OpenScene = <D extends Database = Postgres>(
  start: (directory: string, resources: OpenResources) => Promise<D>,
) => Promise<Scene<D>>;

/** A fault that can happen in production. */
export interface Fault {
  readonly name: string;
  /** Returns the reason why this machine cannot inject the fault, or null if it can. */
  missingPrerequisite?(): Promise<string | null>;
  /** Injects the fault and returns the figures. */
  inject(open: OpenScene): Promise<string>;
}
