import { Field, ObjectType } from 'type-graphql';
import { type Caller, mayUnlock } from '../declare/caller.js';
import type { RecordClass } from '../declare/meta.js';
import type { Can, Doing } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { mayWrite } from '../declare/writers.js';
import { writtenByHand } from '../declare/writes.js';
import { field } from './relations.js';
import type { Resolve } from './root-fields.js';

@ObjectType('ViewerCan', {
  description:
    'What the caller, with the tokens that the request carries, may do with a record: what is true here its mutations do, what is false they refuse. Everything is false where no mutation does it.',
})
export class ViewerCan {
  @Field(() => Boolean, { description: 'Change it.' })
  update!: boolean;

  @Field(() => Boolean, { description: 'Delete it, call it off or remove it; false while it is locked.' })
  delete!: boolean;

  @Field(() => Boolean, {
    description: "Approve it: it waits for approvals, the caller's would count and was not given yet. False for what needs none.",
  })
  approve!: boolean;

  @Field(() => Boolean, {
    description:
      'Register for it: registration is open, there is room, and the signed-in user is not in it and is one for whom it is. True for a tournament if that is true for one of its events. False for all but events and tournaments.',
  })
  register!: boolean;

  @Field(() => Boolean, {
    description:
      "Withdraw it: it is the signed-in user's, and play has not begun. False for all but registrations and entries in events.",
  })
  withdraw!: boolean;
}

type Rules = Partial<Record<Doing, Can>>;

/** What there are mutations for, and who may call them for which rows: as the record's writers say unless it states something else. */
function rulesOf(cls: RecordClass): Rules {
  const { can = {}, lock, rootFields, write } = optionsOf(cls);
  const byHand = writtenByHand(cls);
  const isOpen = (...fields: readonly ('update' | 'upsert' | 'delete')[]) =>
    fields.some((field) => rootFields?.includes(field) ?? true);
  const written: Can = { reads: write.owner ? [write.owner] : [], allows: (row, context) => mayWrite(write, context, row) };
  const ifUnlocked = (orElse: (caller: Caller) => boolean): Can =>
    lock
      ? {
          reads: [...written.reads, lock],
          allows: (row, context) => (row[lock] !== true || orElse(context.caller)) && mayWrite(write, context, row),
        }
      : written;
  return {
    ...(isOpen('update', 'upsert') || byHand.has('update') ? { update: can.update ?? ifUnlocked(mayUnlock) } : {}),
    ...(isOpen('delete') || byHand.has('delete') ? { delete: can.delete ?? ifUnlocked(() => false) } : {}),
    ...(can.approve ? { approve: can.approve } : {}),
    ...(can.register ? { register: can.register } : {}),
    ...(can.withdraw ? { withdraw: can.withdraw } : {}),
  };
}

const resolvers = new Map<string, Resolve>();

/** Resolve functions of `Tournament.viewerCan`, …: set after the schema is built, as those of relations are. */
export const viewerCanResolvers: ReadonlyMap<string, Resolve> = resolvers;

const known = new Map<RecordClass, RecordClass[]>();

/** The field that tells callers what they may do with a record, where somebody may do anything with it. */
export function viewerCanOf(cls: RecordClass): RecordClass[] {
  const made = known.get(cls);
  if (made) return made;
  const rules = rulesOf(cls);
  const isAnybody = Object.keys(rules).length > 0;
  const needs = [...new Set(Object.values(rules).flatMap(({ reads }) => reads))];
  if (isAnybody) resolvers.set(`${cls.name}.viewerCan`, (row): Asked => ({ row: row as Row, rules }));
  const fields = isAnybody
    ? [
        field(
          cls,
          'viewerCan',
          `${cls.name}_viewerCan`,
          () => ViewerCan,
          { description: 'Actions that the caller may perform on it.' },
          { needs },
          () => {},
        ),
      ]
    : [];
  known.set(cls, fields);
  return fields;
}

/** A row of which it is asked what may be done with it. */
interface Asked {
  readonly row: Row;
  readonly rules: Rules;
}

const asked =
  (doing: Doing): Resolve =>
  (source, _, context) => {
    const { row, rules } = source as Asked;
    return rules[doing]?.allows(row, context) ?? false;
  };

/** Plain resolve functions of `ViewerCan`. */
export const canResolvers = {
  update: asked('update'),
  delete: asked('delete'),
  approve: asked('approve'),
  register: asked('register'),
  withdraw: asked('withdraw'),
};
