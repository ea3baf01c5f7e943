import { Field, ObjectType } from 'type-graphql';
import { type Caller, mayUnlock } from '../declare/caller.js';
import { type RecordClass, recordMetas } from '../declare/meta.js';
import type { ActionName, Can } from '../declare/options.js';
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
}

/** An action on a row that apps show a button for: a field of `ViewerCan`. */
export interface Action {
  readonly name: ActionName;
  /** Description of the field. */
  readonly description: string;
}

/** Resolve functions of `ViewerCan`, by action. */
const actions = new Map<ActionName, Resolve>();

/** Declares an action that records can have rules for, in their option `can`. */
export function declareAction({ name, description }: Action): void {
  if (actions.has(name)) throw new Error(`two modules declare the action ${name}`);
  actions.set(name, asked(name));
  Field(() => Boolean, { description })(ViewerCan.prototype, name);
}

type Rules = Readonly<Partial<Record<ActionName, Can>>>;

/** What there are mutations for, and who may call them for which rows: as the record's writers say unless it states something else. */
function rulesOf(cls: RecordClass): Rules {
  const { can = {}, lock, rootFields, write } = optionsOf(cls);
  const { update, delete: remove, ...others } = can;
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
    ...(isOpen('update', 'upsert') || byHand.has('update') ? { update: update ?? ifUnlocked(mayUnlock) } : {}),
    ...(isOpen('delete') || byHand.has('delete') ? { delete: remove ?? ifUnlocked(() => false) } : {}),
    ...others,
  };
}

/** Throws if a record has a rule for an action that no module declares. */
export function checkActions(): void {
  for (const { name, options } of recordMetas())
    for (const action of Object.keys(options?.can ?? {}))
      if (!actions.has(action)) throw new Error(`${name} has a rule for the action ${action}, which no module declares`);
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
  const needs = [...new Set(Object.values(rules).flatMap((rule) => rule?.reads ?? []))];
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

function asked(action: ActionName): Resolve {
  return (source, _, context) => {
    const { row, rules } = source as Asked;
    return rules[action]?.allows(row, context) ?? false;
  };
}

actions.set('update', asked('update'));
actions.set('delete', asked('delete'));

/** Plain resolve functions of `ViewerCan`. */
export const canResolvers: ReadonlyMap<ActionName, Resolve> = actions;
