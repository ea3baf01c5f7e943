import type { GraphQLField } from 'graphql';
import type { PubSub } from 'type-graphql';
import { changeCursor, placeOfCursor, type Told, type Watch } from '../changes/index.js';
import type { Caller } from '../declare/caller.js';
import type { Context } from '../declare/context.js';
import { guard, policiesOf } from '../declare/policy.js';
import { type EventSource, sourceOfEvent } from './change-types.js';
import { liveField, seesRow } from './live.js';

/** Fields of `Subscription` subscribe to the log of changes, and to nothing of type-graphql. */
export const noPubSub: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('there is nothing but the log of changes');
  },
};

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

/** Has a field of `Subscription` give the events of its subscribers; an event is the source of its own type. */
export function subscribing(field: GraphQLField<unknown, Context>): void {
  const { name } = field;
  const declared = liveField(name);
  const policies = policiesOf(field.extensions);
  if (!declared || !policies) throw new Error(`Subscription.${name} is not declared by liveRoot(…), or states no policy`);
  const concerns = declared.concerns ?? ((change, _, context) => seesRow(change, context));
  field.resolve = (source) => source;
  field.subscribe = async (_, args: Record<string, unknown>, context) => {
    const admit = (caller: Caller) => guard(policies, caller, args);
    admit(context.caller);
    const place = typeof args.after === 'string' ? placeOfCursor(args.after) : null;
    const topics = await declared.topics(args, context);
    const watch = await context.services.changes.watch(topics, place);
    const eventOf = (told: Told): LiveEvent => ({
      told,
      source: sourceOfEvent(told, changeCursor({ log: watch.log, position: told.position })),
      concerns: (current) => told.kind === 'CHANGES_MISSED' || concerns(told, args, current),
    });
    return new LiveEvents(watch, eventOf, admit);
  };
}
