import type { MutationType, RecordType } from 'courtside-console/catalog';
import { useState } from 'preact/hooks';
import { conflictFailure, type Failure, useMutation, useQueryOnRequest, useSession } from '../data/index.ts';
import { useNotify } from '../elements/notices.tsx';
import { recordDocument, recordIn, saveDocument } from './documents.ts';
import { changedFieldsOf, type FormField, type FormValues, initialValuesOf, variablesOf } from './form-values.ts';
import { recordLabel, textOf, type Values } from './record.ts';

interface FormStateOptions {
  readonly name: string;
  readonly type: RecordType;
  readonly mutation: MutationType;
  readonly fields: readonly FormField[];
  /** Record to update, in its current state. Null to create one. */
  readonly record: Values | null;
  /** Initial values of a new record, keyed by field name. */
  readonly defaults: URLSearchParams | undefined;
}

/** Whether two states of a record have the same version. If the record has no version, compares the times of the last change. */
const isSameVersion = (a: Values | null, b: Values | null): boolean =>
  (a?.version ?? a?.updatedAt) === (b?.version ?? b?.updatedAt);

/** State of a form: its values, the number of changed fields, and functions that change and save the values. */
export function useFormState({ name, type, mutation, fields, record, defaults }: FormStateOptions) {
  const { viewer } = useSession();
  const notify = useNotify();
  const save = useMutation(saveDocument(viewer, type, mutation));
  const current = useQueryOnRequest(recordDocument(viewer, type));
  const [initial, setInitial] = useState(() => ({ record, values: initialValuesOf(fields, record) }));
  const [edits, setEdits] = useState<FormValues>(() =>
    Object.fromEntries(
      fields.flatMap(({ path, field }) => (defaults?.get(field.name) ? [[path, defaults.get(field.name) ?? '']] : [])),
    ),
  );
  const [isTouched, setTouched] = useState(false);
  const values: FormValues = { ...initial.values, ...edits };
  const changed = changedFieldsOf(fields, initial.values, values);
  // Required arguments are sent even if they have not changed.
  const required = fields.filter(({ path, field }) => field.isRequired && !path.includes('.'));
  const identity: Values = record ? (mutation.takesId ? { id: textOf(record.id) } : { input: { id: textOf(record.id) } }) : {};
  const variables = (source: FormValues) => variablesOf(mutation, [...required, ...changed], source, identity);
  const [isConflicting, setConflicting] = useState(false);
  /** Reads the record again. Returns an error if the record is no longer in the state that the user saw. */
  const check = async (seen: Values): Promise<Failure | null> => {
    const { data, failure } = await current.run({ id: textOf(seen.id) });
    return failure ?? (isSameVersion(recordIn(data), seen) ? null : conflictFailure);
  };
  const send = (source: FormValues, seen: Values | null) =>
    save.run({ ...variables(source), ...(mutation.takesVersion && { ifVersion: seen?.version ?? null }) });
  const restore = async (saved: Values, label: string) => {
    const failure = (await check(saved)) ?? (await send(initial.values, saved)).failure;
    if (failure === conflictFailure) notify({ text: `Not restored: somebody else has changed ${label} since.` });
    else notify({ text: failure ? `Not restored: ${label}. ${failure.message}` : `Restored ${label}` });
  };
  return {
    values,
    changedCount: changed.length,
    /** Whether the user has entered values that are not saved. */
    isUnsaved: isTouched && changed.length > 0,
    failure: isConflicting ? conflictFailure : (current.failure ?? save.failure),
    isRunning: current.isRunning || save.isRunning,
    /** Whether the record has changed since the form was opened. */
    isOutdated: !isSameVersion(record, initial.record),
    setValue(path: string, value: FormValues[string]): void {
      setTouched(true);
      setEdits((previous) => ({ ...previous, [path]: value }));
    },
    /** Loads the current values of the record into the form. Keeps or discards the changes of the user. */
    refresh(keepsEdits: boolean): void {
      setInitial({ record, values: initialValuesOf(fields, record) });
      setEdits(keepsEdits ? Object.fromEntries(changed.map(({ path }) => [path, values[path] ?? ''])) : {});
      setConflicting(false);
      save.reset();
    },
    /** Sends the changed values. Returns the saved record, or null after an error. */
    async submit(): Promise<Values | null> {
      const { record: seen } = initial;
      // If the mutation takes a version, the service checks it.
      const failure = seen && !mutation.takesVersion ? await check(seen) : null;
      setConflicting(failure === conflictFailure);
      if (failure) return null;
      const { data } = await send(values, seen);
      const saved = data?.record;
      if (!saved) return null;
      const label = recordLabel(name, saved);
      if (record) notify({ text: `Saved ${label}`, action: { label: 'Undo', run: () => restore(saved, label) } });
      else notify({ text: `Created ${label}` });
      return saved;
    },
  };
}
