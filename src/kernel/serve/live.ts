import { ID } from 'type-graphql';
import type { Change } from '../changes/index.js';
import type { Context } from '../declare/context.js';
import type { GeneratedField, InputValueSpec } from '../declare/fields/generated.js';
import { findRecord } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { visibleRows } from '../read/conditions/visible.js';
import { visibleChanges, wasVisible } from '../read/conditions/visible-changes-sql.js';
import { collect, queryBuilder } from '../statement.js';
import { type SubscriptionField, subscriberOf } from './live-events.js';

const afterText =
  'Cursor of an earlier event, or the value of `liveCursor`. Events since then are sent first. Default: only new events. BAD_INPUT: not a cursor.';

/** Declares a root field of `Subscription`, for `resolvers` of a manifest. */
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
 * Whether the caller could see the row before or after a change. Uses the values in the change log, and the current values of other columns. It is
 * not sufficient that the row is visible now, because the row may have been hidden at the time of the change.
 */
export async function canSeeRow(change: Change, { caller, sql }: Context): Promise<boolean> {
  const cls = findRecord(change.record);
  if (!cls) return false;
  if (visibleRows(cls, caller, collect([])) === null) return true;
  if (change.kind !== 'DELETED' && (await wasVisible(sql, cls, caller, change))) return true;
  return (await visibleChanges(sql, cls, caller, [change])).size > 0;
}

/** Like `canSeeRow`, for a subscriber who could see the row when the subscription started. Also true if the row has been deleted. */
export async function couldSeeRow(change: Change, context: Context): Promise<boolean> {
  if (change.kind === 'DELETED' || (await canSeeRow(change, context))) return true;
  const cls = findRecord(change.record);
  const rowQuery = cls && queryBuilder.selectFrom(optionsOf(cls).table).select('id').where('id', '=', change.id);
  return !rowQuery || (await context.sql.run(rowQuery)).length === 0;
}
