import { type Change, changeCursor, placeOfCursor, type Told, type Topic, type Watch } from '../changes/index.js';
import type { Caller } from '../declare/caller.js';
import type { Context } from '../declare/context.js';
import type { InputValues, TypeReference } from '../declare/generated.js';
import { guard, type Policy } from '../declare/policy.js';
import { type EventSource, sourceOfEvent } from './change-types.js';

type Args = Readonly<Record<string, unknown>>;

/** A root field of `Subscription`. */
export interface LiveField<A = Args> {
  /** Its name in the graph. */
  readonly name: string;
  /** The type of its events, which `changeEvent` makes. */
  readonly type: () => TypeReference;
  readonly description: string;
  readonly policies: readonly Policy[];
  /** Descriptions of its ids, all of them needed. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Further arguments. */
  readonly args?: InputValues;
  /** What its subscribers wait for, worked out once; what it throws refuses the subscription. */
  topics(args: A, context: Context): readonly Topic[] | Promise<readonly Topic[]>;
  /** Whether a change concerns a subscriber, asked for each; by default where its row is seen, or was. */
  concerns?(change: Change, args: A, context: Context): boolean | Promise<boolean>;
}

/** An event on its way to a subscriber. */
export interface LiveEvent {
  /** The same object for all who are told of a change. */
  readonly told: Told;
  readonly source: EventSource;
  /** Whether it concerns a subscriber, as they are now. */
  concerns(context: Context): boolean | Promise<boolean>;
}

/** Events for one subscriber: those of a watch. */
export class LiveEvents implements AsyncIterableIterator<LiveEvent> {
  constructor(
    readonly watch: Watch,
    readonly eventOf: (told: Told) => LiveEvent,
    /** Throws where a caller may not read them, or not any more. */
    readonly admit: (caller: Caller) => void,
  ) {}

  async next(): Promise<IteratorResult<LiveEvent>> {
    const { done, value } = await this.watch.next();
    return done ? { done, value: undefined } : { done: false, value: this.eventOf(value) };
  }

  async return(): Promise<IteratorResult<LiveEvent>> {
    await this.watch.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Subscribes callers of a field to the change log; an event is the source of its own type. */
export function subscriberOf<A = Args>({
  policies,
  topics,
  concerns,
}: Required<Pick<LiveField<A>, 'policies' | 'topics' | 'concerns'>>) {
  return async (_: unknown, args: A & Args, context: Context): Promise<LiveEvents> => {
    const admit = (caller: Caller) => guard(policies, caller, args);
    admit(context.caller);
    const place = typeof args.after === 'string' ? placeOfCursor(args.after) : null;
    const watch = await context.services.changes.watch(await topics(args, context), place);
    const eventOf = (told: Told): LiveEvent => ({
      told,
      source: sourceOfEvent(told, changeCursor({ log: watch.log, position: told.position })),
      concerns: (current) => told.kind === 'CHANGES_MISSED' || concerns(told, args, current),
    });
    return new LiveEvents(watch, eventOf, admit);
  };
}
