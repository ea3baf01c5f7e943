import { type Change, changeCursor, parseChangeCursor, type Topic, type Watch, type WatchEvent } from '../changes/index.js';
import type { Context } from '../declare/context.js';
import type { InputValues, TypeReference } from '../declare/fields/generated.js';
import type { Caller } from '../declare/policy/caller.js';
import { guard, type Policy } from '../declare/policy/policy.js';
import { type EventSource, sourceOfEvent } from './change-types.js';

type Args = Readonly<Record<string, unknown>>;

/** Root field of `Subscription`. */
export interface SubscriptionField<A = Args> {
  /** Name in the schema. */
  readonly name: string;
  /** Type of the events: a class with `changeEvent`, or a type of `changeTypeOf`. */
  readonly type: () => TypeReference;
  readonly description: string;
  readonly policies: readonly Policy[];
  /** Required ID arguments, with their descriptions. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Other arguments. */
  readonly args?: InputValues;
  /** Returns the topics of a subscription. Called once, when it starts. Errors reject the subscription. */
  topics(args: A, context: Context): readonly Topic[] | Promise<readonly Topic[]>;
  /** Whether a subscriber can receive a change. Called for each change. Default: whether the caller can see the row, or could before the change. */
  canReceive?(change: Change, args: A, context: Context): boolean | Promise<boolean>;
}

/** Event for one subscriber. */
export interface LiveEvent {
  /** Change or CHANGES_MISSED. All subscribers share this object. */
  readonly notification: WatchEvent;
  readonly source: EventSource;
  /** Whether the caller of `context` can receive the event. */
  canReceive(context: Context): boolean | Promise<boolean>;
}

/** Stream of the events of one subscription. */
export class LiveEvents implements AsyncIterableIterator<LiveEvent> {
  constructor(
    readonly watch: Watch,
    readonly eventOf: (notification: WatchEvent) => LiveEvent,
    /** Throws if the caller may not read the events. */
    readonly authorize: (caller: Caller) => void,
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

/** Creates the subscribe function of a field. It subscribes the caller to the change log. */
export function subscriberOf<A = Args>({
  policies,
  topics,
  canReceive,
}: Required<Pick<SubscriptionField<A>, 'policies' | 'topics' | 'canReceive'>>) {
  return async (_: unknown, args: A & Args, context: Context): Promise<LiveEvents> => {
    const authorize = (caller: Caller) => guard(policies, caller, args);
    authorize(context.caller);
    const position = typeof args.after === 'string' ? parseChangeCursor(args.after) : null;
    const watch = await context.services.changes.watch(await topics(args, context), position);
    const eventOf = (notification: WatchEvent): LiveEvent => ({
      notification,
      source: sourceOfEvent(notification, changeCursor({ log: watch.log, position: notification.position })),
      canReceive: (currentContext) => notification.kind === 'CHANGES_MISSED' || canReceive(notification, args, currentContext),
    });
    return new LiveEvents(watch, eventOf, authorize);
  };
}
