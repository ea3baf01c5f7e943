import { type FieldSpec, type GeneratedField, GeneratedType } from '../declare/fields/generated.js';
import type { ActionName, ActionRule } from '../declare/fields/options.js';
import { type RecordClass, recordMetas } from '../declare/meta.js';
import { type Caller, canUnlockRecords } from '../declare/policy/caller.js';
import { canWrite } from '../declare/policy/writers.js';
import { handwrittenActions } from '../declare/policy/writes.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';

/** Action on a row, for which an app may show a button. Each action has a field in `ViewerCan`. */
export interface Action {
  readonly name: ActionName;
  readonly description: string;
}

const actions = new Map<ActionName, FieldSpec>();

/** Declares an action. Records can have a rule for it in the option `actionRules`. */
export function declareAction({ name, description }: Action): void {
  if (actions.has(name)) throw new Error(`the action ${name} is declared twice`);
  actions.set(name, {
    type: () => Boolean,
    description,
    resolve: (source, _, context) => {
      const { row, rules } = source as RowWithRules;
      return rules[name]?.isAllowed(row, context) ?? false;
    },
  });
}

declareAction({ name: 'update', description: 'Whether the caller can update the record.' });
declareAction({
  name: 'delete',
  description: 'Whether the caller can delete, cancel or remove the record. False while the record is locked.',
});

/** Type of the field `viewerCan`, with all declared actions. */
export const ViewerCan: GeneratedType = new GeneratedType('ViewerCan', {
  kind: 'object',
  description:
    'Actions that the caller may perform on a record. A field is false if the mutation would be refused, or if records of this type have no such mutation.',
  fields: () => Object.fromEntries([...actions].sort(([a], [b]) => (a < b ? -1 : 1))),
});

type Rules = Readonly<Partial<Record<ActionName, ActionRule>>>;

/**
 * Returns the rules for actions that have mutations. They come from the option `actionRules` of the record, or else from `write` and
 * `lock`.
 */
function rulesOf(cls: RecordClass): Rules {
  const { actionRules = {}, lock, rootFields, write } = optionsOf(cls);
  const { update, delete: remove, ...otherRules } = actionRules;
  const handwritten = handwrittenActions(cls);
  const hasRootField = (...fields: readonly ('update' | 'upsert' | 'delete')[]) =>
    fields.some((field) => rootFields?.includes(field) ?? true);
  const writersRule: ActionRule = {
    columns: write.owner ? [write.owner] : [],
    isAllowed: (row, context) => canWrite(write, context, row),
  };
  const unlockedRule = (canUnlockRow: (caller: Caller) => boolean): ActionRule =>
    lock
      ? {
          columns: [...writersRule.columns, lock],
          isAllowed: (row, context) => (row[lock] !== true || canUnlockRow(context.caller)) && canWrite(write, context, row),
        }
      : writersRule;
  return {
    ...(hasRootField('update', 'upsert') || handwritten.has('update')
      ? { update: update ?? unlockedRule(canUnlockRecords) }
      : {}),
    ...(hasRootField('delete') || handwritten.has('delete') ? { delete: remove ?? unlockedRule(() => false) } : {}),
    ...otherRules,
  };
}

/** Throws if a record has a rule for an action that no module declares. */
export function checkActions(): void {
  for (const { name, options } of recordMetas())
    for (const action of Object.keys(options?.actionRules ?? {}))
      if (!actions.has(action)) throw new Error(`${name} has a rule for the action ${action}, which no module declares`);
}

/**
 * Returns a list that contains the field `viewerCan` of a record. The field states which actions the caller may perform. The list is empty
 * if the record has no actions.
 */
export function viewerCanOf(cls: RecordClass): readonly GeneratedField[] {
  const rules = rulesOf(cls);
  if (Object.keys(rules).length === 0) return [];
  const columns = [...new Set(Object.values(rules).flatMap((rule) => rule?.columns ?? []))];
  return [
    {
      on: cls,
      name: 'viewerCan',
      type: () => ViewerCan,
      description: 'Actions that the caller may perform on this record.',
      extensions: { readsColumns: columns },
      resolve: (row): RowWithRules => ({ row: row as Row, rules }),
    },
  ];
}

/** Row, and the rules for actions on it. */
interface RowWithRules {
  readonly row: Row;
  readonly rules: Rules;
}
