import { channel } from 'node:diagnostics_channel';
import { bounded } from '../kernel/bounded.js';
import type { Freshness, Moment } from '../kernel/changes/index.js';
import type { Caller } from '../kernel/declare/caller.js';
import type { Client } from '../kernel/declare/context.js';
import type { Pools } from '../kernel/pools.js';
import { keptVersion } from '../kernel/read/kept-version-sql.js';
import { Reads } from '../kernel/reads.js';
import type { Resources } from './context.js';
import { isKnown } from './entity-tag.js';
import { consistencyHeader } from './read-your-writes/index.js';

/** What an answer was known by, and what it was read from in which moment: the same while none of these records changes. */
interface Known {
  readonly tag: string;
  readonly records: readonly string[];
  readonly version: string | null;
  readonly since: Moment;
}

/** Every answer that was looked at is told there, with what it was read from or why that does not say all, while somebody listens. */
const judged = channel('courtside:poll');

const remembered = {
  what: 'tags of answers of `/v1`, and the records that these were read from, by who asked for what',
  most: '10,000, and 8 MB of text',
  until: 'one of these records changes, which the primary is asked for at each poll',
};

/** Who asks, with all that says what they may see. */
const whoOf = ({ platform, key, user }: Caller): string =>
  JSON.stringify([
    platform && [platform.id, platform.name],
    key && [key.id, key.platformId],
    user && [user.id, user.name, user.isSuperAdmin, ...[...user.roles].sort()],
  ]);

/** A client of whom it is noted when an answer depends on more of the request than who asks for what. */
class Watched implements Client {
  constructor(
    private readonly client: Client,
    readonly reads: Reads,
  ) {}

  get address(): string {
    this.reads.unknown('the address of the client');
    return this.client.address;
  }

  get origin(): string | null {
    this.reads.unknown('the address of the service');
    return this.client.origin;
  }

  get requestId(): number | undefined {
    return this.client.requestId;
  }

  readonly header = (name: string): string | undefined => {
    // It says how new an answer has to be, and one that is still the same is as new as any.
    if (name !== consistencyHeader) this.reads.unknown(`the header ${name}`);
    return this.client.header(name);
  };

  tell(name: string, value: string): void {
    this.reads.unknown(`the header ${name} of the answer`);
    this.client.tell(name, value);
  }
}

/** One request for something that may be known from before. */
export class Poll {
  readonly reads = new Reads();
  #moment: Moment | null = null;
  #applied: Pools['applied'] = new Map();

  constructor(
    readonly polls: Polls,
    readonly key: string,
  ) {}

  /** The tag of the answer, where `If-None-Match` names it and the answer is still the same; null where it must be made to be known. */
  known(ifNoneMatch: string): Promise<string | null> {
    return this.polls.known(this.key, ifNoneMatch);
  }

  /** The client for whom the answer is made now. */
  watching(client: Client): Client {
    this.#moment = this.polls.freshness.moment;
    this.#applied = this.polls.resources.pools.applied;
    return new Watched(client, this.reads);
  }

  /** Up to when the answer has seen every change: what a replica says is as old as what it had applied when it was last looked at. */
  since(freshness: Freshness): Moment | null {
    let first = this.#moment;
    for (const replica of this.reads.replicas) {
      const moment = freshness.momentAt(this.#applied.get(replica));
      if (first?.epoch !== moment?.epoch) return null;
      if (first && moment && moment.position < first.position) first = moment;
    }
    return first;
  }

  /** Keeps by what the answer is known that was made with the watched client. */
  keep(tag: string): void {
    this.polls.keep(this, tag);
  }
}

/**
 * Tells requests with `If-None-Match` that nothing has changed without running them again: what an answer was read from is noted while it is made,
 * and the log of changes says whether one of these records has changed since. Tags stay what they are by the content, for clients compare them,
 * and other processes know them: the moment of an answer is kept here, beside its tag.
 *
 * The log is followed from the first such request on: a process that is not polled has no connection for it.
 */
export class Polls {
  readonly #known = bounded<string, Known>(remembered, {
    max: 10_000,
    maxSize: 8_000_000,
    sizeCalculation: ({ tag }, key) => tag.length + key.length,
  });

  constructor(readonly resources: Pick<Resources, 'pools' | 'services'>) {}

  get freshness(): Freshness {
    return this.resources.services.changes.freshness;
  }

  /** Begins to look at a request; null where nothing could be kept of its answer. */
  begin(caller: Caller, url: string, isConditional: boolean): Poll | null {
    if (this.freshness.moment) return new Poll(this, `${whoOf(caller)} ${url}`);
    if (isConditional) this.freshness.follow();
    return null;
  }

  async known(key: string, ifNoneMatch: string): Promise<string | null> {
    const known = this.#known.get(key);
    if (!known || !isKnown(ifNoneMatch, known.tag)) return null;
    const { pools } = this.resources;
    const isSame =
      (known.version === null || known.version === (await keptVersion(pools))) &&
      (await this.freshness.isUnchanged(known.records, known.since));
    return isSame ? known.tag : null;
  }

  keep(poll: Poll, tag: string): void {
    const { key, reads } = poll;
    const since = poll.since(this.freshness);
    const source = this.freshness.sourceOf(reads);
    const unknownBy = source ? source.unknownBy : 'nothing is known';
    if (judged.hasSubscribers) judged.publish({ key, reads, records: source?.records, unknownBy });
    if (!source || !since || unknownBy !== null) this.#known.delete(key);
    else this.#known.set(key, { tag, records: [...source.records], version: reads.version, since });
  }
}
