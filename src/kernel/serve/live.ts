import { Arg, ID, Resolver, Subscription } from 'type-graphql';
import type { Change, Topic } from '../changes/index.js';
import type { Context } from '../declare/context.js';
import { classNamed, findRecord, type RecordClass } from '../declare/meta.js';
import { allow, type Policy } from '../declare/policy.js';
import { optionsOf } from '../declare/record.js';
import { seenStates } from '../read/seen-states-sql.js';
import { visibleRows } from '../read/visible.js';
import { building } from '../statement.js';

type Args = Readonly<Record<string, unknown>>;

/** A root field of `Subscription`. */
export interface LiveField<A = Args> {
  /** Its name in the graph. */
  readonly name: string;
  /** The type of its events, which `changeEvent` makes. */
  readonly type: () => RecordClass;
  readonly description: string;
  readonly policies: readonly Policy[];
  /** Descriptions of its ids, all of them needed. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Declares further arguments, from that place among the parameters on. */
  readonly args?: (target: object, method: string, at: number) => void;
  /** What its subscribers wait for, worked out once; what it throws refuses the subscription. */
  topics(args: A, context: Context): readonly Topic[] | Promise<readonly Topic[]>;
  /** Whether a change concerns a subscriber, asked for each; by default where its row is seen, or was. */
  concerns?(change: Change, args: A, context: Context): boolean | Promise<boolean>;
}

const fields = new Map<string, LiveField>();

/** The root field of `Subscription` with that name. */
export const liveField = (name: string): LiveField | undefined => fields.get(name);

const afterText =
  'A cursor of an earlier event, or of `liveCursor`: first what came since is told. Without it, what comes from now on. BAD_INPUT for what is no cursor.';

/** Declares a root field of `Subscription`, as the resolver class that has it. */
export function liveRoot<A = Args>(field: LiveField<A>): RecordClass {
  const { name, type, description, policies, ids = {}, args } = field;
  const holder = classNamed(`Live${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  const target = holder.prototype as Record<string, unknown>;
  target[name] = () => undefined;
  const descriptor = Object.getOwnPropertyDescriptor(target, name) ?? {};
  const names = Object.keys(ids);
  for (const [at, id] of names.entries()) Arg(id, () => ID, { description: ids[id] ?? '' })(target, name, at);
  args?.(target, name, names.length);
  Arg('after', () => String, { nullable: true, description: afterText })(target, name, 99);
  // What it subscribes to is set when the schema is built.
  Subscription(type, { description, subscribe: () => [] as never })(target, name, descriptor);
  allow(...policies)(target, name, descriptor);
  Resolver()(holder);
  fields.set(name, field as unknown as LiveField);
  return holder;
}

/** Whether the caller sees the row of a change, or saw it before or after that, as far as stands with the change: it may be gone or hidden since. */
export async function seesRow(change: Change, { caller, loaders, sql }: Context): Promise<boolean> {
  const cls = findRecord(change.record);
  if (!cls) return false;
  if (visibleRows(cls, caller, () => '') === null) return true;
  if (change.kind !== 'DELETED' && (await loaders.one(cls, ['id'], change.id)) !== null) return true;
  return (await seenStates(sql, cls, caller, [change])).size > 0;
}

/** The same for one who saw the row when they subscribed, or whose it is: they are told what became of it to its end. */
export async function sawRow(change: Change, context: Context): Promise<boolean> {
  if (change.kind === 'DELETED' || (await seesRow(change, context))) return true;
  const cls = findRecord(change.record);
  const found = cls && building.selectFrom(optionsOf(cls).table).select('id').where('id', '=', change.id);
  return !found || (await context.sql.run(found)).length === 0;
}
