import { type Caller, canUnlock } from '../declare/caller.js';
import { type FieldSpec, type GeneratedField, GeneratedType } from '../declare/generated.js';
import { type RecordClass, recordMetas } from '../declare/meta.js';
import type { ActionName, Can } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { canWrite } from '../declare/writers.js';
import { handwrittenActions } from '../declare/writes.js';

/** An action on a row, such as a button in an app: a field of `ViewerCan`. */
export interface Action {
  readonly name: ActionName;
  /** Description of the field. */
  readonly description: string;
}

const actions = new Map<ActionName, FieldSpec>();

/** Declares an action that records can have rules for, in their option `can`. */
export function declareAction({ name, description }: Action): void {
  if (actions.has(name)) throw new Error(`two modules declare the action ${name}`);
  actions.set(name, {
    type: () => Boolean,
    description,
    resolve: (source, _, context) => {
      const { row, rules } = source as Asked;
      return rules[name]?.allows(row, context) ?? false;
    },
  });
}

declareAction({ name: 'update', description: 'Change it.' });
declareAction({ name: 'delete', description: 'Delete it, call it off or remove it; false while it is locked.' });

/** The type of the field `viewerCan`, with all actions that modules declare. */
export const ViewerCan: GeneratedType = new GeneratedType('ViewerCan', {
  kind: 'object',
  description:
    'Actions that the caller may perform on a record, with the tokens of the request. False if the mutation would be refused, or if no mutation performs the action on records of this type.',
  fields: () => Object.fromEntries(actions),
});

type Rules = Readonly<Partial<Record<ActionName, Can>>>;

/** Rules for the actions that have mutations: those in the option `can` of the record, or else derived from `write` and `lock`. */
function rulesOf(cls: RecordClass): Rules {
  const { can = {}, lock, rootFields, write } = optionsOf(cls);
  const { update, delete: remove, ...others } = can;
  const byHand = handwrittenActions(cls);
  const isOpen = (...fields: readonly ('update' | 'upsert' | 'delete')[]) =>
    fields.some((field) => rootFields?.includes(field) ?? true);
  const written: Can = { reads: write.owner ? [write.owner] : [], allows: (row, context) => canWrite(write, context, row) };
  const ifUnlocked = (orElse: (caller: Caller) => boolean): Can =>
    lock
      ? {
          reads: [...written.reads, lock],
          allows: (row, context) => (row[lock] !== true || orElse(context.caller)) && canWrite(write, context, row),
        }
      : written;
  return {
    ...(isOpen('update', 'upsert') || byHand.has('update') ? { update: update ?? ifUnlocked(canUnlock) } : {}),
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

/** Field with the permitted actions of the caller on a record. Absent if the record has no actions. */
export function viewerCanOf(cls: RecordClass): readonly GeneratedField[] {
  const rules = rulesOf(cls);
  if (Object.keys(rules).length === 0) return [];
  const needs = [...new Set(Object.values(rules).flatMap((rule) => rule?.reads ?? []))];
  return [
    {
      on: cls,
      name: 'viewerCan',
      type: () => ViewerCan,
      description: 'Actions that the caller may perform on it.',
      extensions: { needs },
      resolve: (row): Asked => ({ row: row as Row, rules }),
    },
  ];
}

/** A row and the rules for actions on it. */
interface Asked {
  readonly row: Row;
  readonly rules: Rules;
}
