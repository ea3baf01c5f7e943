import type { Logger } from 'pino';
import type { Change, ChangeLog } from '../../kernel/changes/index.js';
import type { Caller } from '../../kernel/declare/caller.js';
import { problem } from '../../kernel/declare/errors.js';

/** How often every caller is looked at although nothing was told of them: tokens end by themselves, too. In milliseconds. */
const anyway = 30_000;

/** A subscription that is open. */
export interface Stream {
  /** Who reads it, as they were when they were looked at last. */
  caller: Caller;
  /** Tells who reads it now. */
  identify(): Promise<Caller>;
  /** Ends it: without an error where the service goes. */
  end(error: Error | null): void;
}

/** Records of which a change may end what a token lets somebody do. */
const ofTokens = ['UserToken', 'PublishableKey', 'Platform', 'User', 'Role'] as const;

const concerns = ({ record, id, refs }: Change, { platform, key, user }: Caller): boolean => {
  const isNamed = (name: string, value: string | undefined) =>
    value !== undefined && (id === value || refs.includes(`${name}=${value}`));
  if (record === 'Role') return user !== null;
  return (
    isNamed('userId', user?.id) || isNamed('platformId', platform?.id) || isNamed('platformId', key?.platformId) || id === key?.id
  );
};

/** The open subscriptions of a process: so many at once, each as long as its token lives. */
export class Streams {
  readonly #open = new Set<Stream>();
  #following: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(
    readonly changes: ChangeLog,
    readonly most: number,
    /** Forgets what is known of tokens. */
    readonly forget: () => void,
    readonly log: Logger,
  ) {}

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes in one more; UNAVAILABLE where there are too many, or the service goes. */
  add(stream: Stream): void {
    if (this.#ended || this.#open.size >= this.most)
      throw problem('UNAVAILABLE', this.#ended ? 'the service is being stopped' : 'too many subscriptions are open', {
        retryAfter: 5,
      });
    this.#open.add(stream);
    this.#following ??= this.#follow();
    this.#timer ??= setInterval(() => void this.#look([...this.#open]), anyway).unref();
  }

  delete(stream: Stream): void {
    this.#open.delete(stream);
  }

  /** Ends all of them: those who read come back to another process with their last cursor. */
  stop(): void {
    this.#ended = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const stream of [...this.#open]) stream.end(null);
  }

  /** Looks at the callers whom a change concerns, as soon as it is told. */
  async #follow(): Promise<void> {
    while (!this.#ended) {
      try {
        for await (const told of await this.changes.watch([...ofTokens])) {
          const all = [...this.#open];
          const concerned = told.kind === 'READ_ANEW' ? all : all.filter(({ caller }) => concerns(told, caller));
          if (concerned.length === 0) continue;
          this.forget();
          await this.#look(concerned);
        }
      } catch (error) {
        this.log.warn({ reason: error instanceof Error ? error.message : '' }, 'changes of tokens are not followed for a moment');
        await new Promise((resolve) => setTimeout(resolve, 500).unref());
      }
    }
  }

  async #look(streams: readonly Stream[]): Promise<void> {
    for (const stream of streams) {
      try {
        stream.caller = await stream.identify();
        if (stream.caller.rejected) stream.end(problem('UNAUTHENTICATED', 'the token is unknown, expired or revoked'));
      } catch (error) {
        // The database may be away for a moment: that is no news of the token.
        if (error instanceof Error && 'extensions' in error) stream.end(error);
      }
    }
  }
}
