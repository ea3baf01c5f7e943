import { ID } from 'type-graphql';
import { type Change, changeCursor, parseChangeCursor, type Topic, type Watch, type WatchEvent } from '../changes/index.js';
import type { Context } from '../declare/context.js';
import { mainRow } from '../declare/expression.js';
import type { GeneratedField, InputValueSpec, InputValues, TypeReference } from '../declare/fields/generated.js';
import { findRecord } from '../declare/meta.js';
import type { Caller } from '../declare/policy/caller.js';
import { guard, type Policy } from '../declare/policy/policy.js';
import { optionsOf } from '../declare/record.js';
import { visibleRows } from '../read/conditions/visible.js';
import { visibleChanges, wasVisible } from '../read/conditions/visible-changes-sql.js';
import { queryBuilder } from '../statement.js';
import { type EventSource, sourceOfEvent } from './change-types.js';

type Args = Readonly<Record<string, unknown>>;

/** Root field of `Subscription`. */
export interface SubscriptionField<A = Args> {
  /** Name of the field in the schema. */
  readonly name: string;
  /** Type of the events: a class with the decorator `changeEvent`, or a type created by `createChangeEventType`. */
  readonly type: () => TypeReference;
  readonly description: string;
  readonly policies: readonly Policy[];
  /** Required ID arguments, with their descriptions. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Arguments other than `ids` and `after`. */
  readonly args?: InputValues;
  /** Returns the topics of a subscription. Called once, when it starts. Errors reject the subscription. */
  topics(args: A, context: Context): readonly Topic[] | Promise<readonly Topic[]>;
  /**
   * Whether a subscriber can receive a change. Called for each change. Default: whether the caller could see the row before or after the
   * change.
   */
  canReceive?(change: Change, args: A, context: Context): boolean | Promise<boolean>;
}

/** Event for one subscriber. */
export interface LiveEvent {
  /** Change or CHANGES_MISSED. All subscribers share this object. */
  readonly notification: WatchEvent;
  readonly source: EventSource;
  /** Whether the caller in `context` can receive the event. */
  canReceive(context: Context): boolean | Promise<boolean>;
}

/** Stream of events for one subscription. */
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

/** Creates the `subscribe` function of a field. The function subscribes the caller to the change log. */
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
    const { changes } = context.services;
    const eventOf = (notification: WatchEvent): LiveEvent => ({
      notification,
      source: sourceOfEvent(notification, changeCursor(changes.positionOf(watch.log, notification.position))),
      canReceive: (currentContext) => notification.kind === 'CHANGES_MISSED' || canReceive(notification, args, currentContext),
    });
    return new LiveEvents(watch, eventOf, authorize);
  };
}

const afterText =
  'Cursor of an earlier event, or the value of `liveCursor`. Events after this position are sent first. Default: only new events. BAD_INPUT if the value is not a cursor.';

/** Declares a root field of `Subscription`, for the `resolvers` of a manifest. */
export function subscriptionField<A = Readonly<Record<string, unknown>>>(field: SubscriptionField<A>): GeneratedField {
  const { name, type, description, policies, ids = {}, args = {}, topics } = field;
  const canReceive = field.canReceive ?? ((change: Change, _: A, context: Context) => canSeeRow(change, context));
  const idArguments = Object.entries(ids).map(([id, text]): [string, InputValueSpec] => [
    id,
    { type: () => ID, isRequired: true, description: text },
  ]);
  const after: InputValueSpec = { type: () => String, description: afterText };
  return {
    on: 'Subscription',
    name,
    type,
    description,
    args: () => ({ ...Object.fromEntries(idArguments), ...args, after }),
    extensions: { allow: policies },
    resolve: (source) => source,
    subscribe: subscriberOf({ policies, topics, canReceive }),
  };
}

/**
 * Whether the caller could see the row before or after a change. Uses the values in the change log, and the current values of other
 * columns. Current visibility is not sufficient, because the row may have been hidden at the time of the change.
 */
export async function canSeeRow(change: Change, { caller, sql }: Context): Promise<boolean> {
  const cls = findRecord(change.record);
  if (!cls) return false;
  if (visibleRows(cls, caller, mainRow) === null) return true;
  if (change.kind !== 'DELETED' && (await wasVisible(sql, cls, caller, change))) return true;
  return (await visibleChanges(sql, cls, caller, [change])).size > 0;
}

/** Like `canSeeRow`, but for a subscriber who could see the row when the subscription started. Also true if the row has been deleted. */
export async function couldSeeRow(change: Change, context: Context): Promise<boolean> {
  if (change.kind === 'DELETED' || (await canSeeRow(change, context))) return true;
  const cls = findRecord(change.record);
  const rowQuery = cls && queryBuilder.selectFrom(optionsOf(cls).table).select('id').where('id', '=', change.id);
  return !rowQuery || (await context.sql.run(rowQuery)).length === 0;
}
