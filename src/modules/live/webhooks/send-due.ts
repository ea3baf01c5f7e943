import type { Pools } from '../../../kernel/session.js';
import { Session } from '../../../kernel/session.js';
import { type Delivering, deliverNext } from './deliver-next.js';
import { dueLanes, type Lane } from './webhook-sql.js';

/** Most lanes at work at once: of a webhook, and of all. */
const most = { ofWebhook: 5, ofAll: 50 };

const nameOf = ({ webhookId, recordType, recordKey }: Lane): string => JSON.stringify([webhookId, recordType, recordKey]);

/** Sends what is due: records at the same time, of each record one delivery after the other. */
export class DueSender {
  readonly #busy = new Map<string, { lane: Lane; work: Promise<void> }>();
  #isEnded = false;
  #isLooking = false;
  #isAgain = false;

  constructor(
    readonly pools: Pools,
    readonly delivering: Delivering,
    readonly trouble: (error: Error) => void,
  ) {}

  /** Looks for what is due; done at once where a look is on its way, which looks again then. */
  look(): void {
    if (this.#isEnded || this.delivering.posting.signal?.aborted) return;
    if (this.#isLooking) {
      this.#isAgain = true;
      return;
    }
    this.#isLooking = true;
    this.#isAgain = false;
    this.#look()
      .catch(this.trouble)
      .finally(() => {
        this.#isLooking = false;
        if (this.#isAgain) this.look();
      });
  }

  /** Begins nothing any more, and waits for what is on its way. */
  async stop(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#busy.values()].map(({ work }) => work));
  }

  async #look(): Promise<void> {
    if (this.#busy.size >= most.ofAll) return;
    const sql = new Session(this.pools, 'write');
    const lanes = await dueLanes(sql, this.#lanes(), most.ofWebhook);
    const busy = (of: keyof Lane, { [of]: name }: Lane) => this.#lanes().filter((lane) => lane[of] === name).length;
    // Whose receivers hang must not take the turns of all others: the next one is that of who has the fewest.
    while (!this.#isEnded && this.#busy.size < most.ofAll) {
      const open = lanes.filter((lane) => !this.#busy.has(nameOf(lane)) && busy('webhookId', lane) < most.ofWebhook);
      const [first, ...others] = open;
      if (!first) return;
      this.#begin(others.reduce((least, lane) => (busy('platformId', lane) < busy('platformId', least) ? lane : least), first));
    }
  }

  #lanes(): Lane[] {
    return [...this.#busy.values()].map(({ lane }) => lane);
  }

  #begin(lane: Lane): void {
    const name = nameOf(lane);
    if (this.#busy.has(name)) return;
    const work = this.#empty(lane).then(
      () => {
        this.#busy.delete(name);
        this.look();
      },
      (error: Error) => {
        // Looked at again with the next look, and not at once for ever.
        this.#busy.delete(name);
        this.trouble(error);
      },
    );
    this.#busy.set(name, { lane, work });
  }

  async #empty(lane: Lane): Promise<void> {
    const sql = new Session(this.pools, 'write');
    // One that is never empty lets others have their turn.
    for (let sent = 0; sent < 20 && !this.#isEnded; sent++) if (!(await deliverNext(sql, lane, this.delivering))) return;
  }
}
