import type { MutationType, RecordType } from 'courtside-console/catalog';
import { useEffect, useRef } from 'preact/hooks';
import { ActionButton } from '../elements/action-button.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useLeaveQuestion } from '../router.ts';
import { FormInput } from './form-input.tsx';
import { useFormState } from './form-state.ts';
import { formGroupsOf, uneditableFieldsOf } from './form-values.ts';
import { textOf, type Values, valueAt } from './record.ts';
import { inSentence, labelOfName, textOfHelp } from './words.ts';

interface RecordFormProps {
  readonly name: string;
  readonly type: RecordType;
  readonly mutation: MutationType;
  /** Record to update. Null to create one. */
  readonly record: Values | null;
  /** Whether the record was deleted after the form was opened. */
  readonly isDeleted?: boolean;
  /** Initial values of a new record, keyed by field name. */
  readonly defaults?: URLSearchParams;
  onSaved(record: Values): void;
  onCancel(): void;
  /** Called after the errors CONFLICT and NOT_FOUND, to read the current state of the record. */
  onConflict?(): void;
}

/**
 * Form that creates or updates a record, with inputs for the arguments of the mutation. It sends only the changed fields and the required
 * arguments.
 */
export function RecordForm({
  name,
  type,
  mutation,
  record,
  isDeleted = false,
  defaults,
  onSaved,
  onCancel,
  onConflict,
}: RecordFormProps) {
  const groups = formGroupsOf(mutation, type.fields);
  const fields = groups.flatMap((group) => group.fields);
  const uneditable = uneditableFieldsOf(mutation, type.fields);
  const form = useFormState({ name, type, mutation, fields, record, defaults });
  const { failure } = form;
  useLeaveQuestion(form.isUnsaved ? 'Leave this page? Your changes are not saved.' : null);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    if (failure?.code === 'CONFLICT' || failure?.code === 'NOT_FOUND') onConflict?.();
  }, [failure]);
  const submit = async (event: Event) => {
    event.preventDefault();
    const saved = await form.submit();
    if (saved) onSaved(saved);
  };
  const currency = textOf(valueAt(record ?? undefined, type.currency ?? ''));
  return (
    // The service checks the values. Browsers would reject some existing values, such as times with seconds.
    <form ref={element} class="stack" onSubmit={submit} noValidate>
      <p class="quiet">{textOfHelp(mutation.help)}</p>
      {groups.map(({ field: group, fields: inputs }, index) => (
        <fieldset key={group?.name ?? index} class="stack">
          {group && <legend>{labelOfName(group.name)}</legend>}
          {group?.help && <p class="quiet small">{textOfHelp(group.help)}</p>}
          <div class="fields">
            {inputs.map((formField) => (
              <FormInput
                key={formField.path}
                {...{ formField, currency, failure }}
                value={form.values[formField.path] ?? ''}
                onChange={(value) => form.setValue(formField.path, value)}
                isNew={record === null}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {uneditable.length > 0 && (
        <p class="quiet small">
          This form cannot change: {uneditable.map((field) => inSentence(labelOfName(field.name))).join(', ')}.
        </p>
      )}
      {isDeleted ? <Deleted /> : <FailureMessage failure={failure} />}
      <Outdated isOutdated={form.isOutdated && !isDeleted} onRefresh={form.refresh} />
      <p class="row">
        <ActionButton
          type="submit"
          isRunning={form.isRunning}
          disabled={record !== null && (isDeleted || form.changedCount === 0)}
        >
          {record ? 'Save' : 'Create'}
        </ActionButton>
        <button type="button" class="plain" onClick={onCancel}>
          Cancel
        </button>
        {record && <span class="quiet small">{changedText(form.changedCount)}</span>}
      </p>
    </form>
  );
}

const changedText = (count: number): string =>
  count === 0 ? 'Nothing has changed.' : count === 1 ? '1 changed field' : `${count} changed fields`;

/** Message that the record no longer exists. The form stays open, so that the user can copy its texts. */
const Deleted = () => (
  <div role="alert" class="alarm">
    <p>
      This record was deleted, or your roles no longer permit you to see it. Your changes cannot be saved. To keep your texts,
      copy them before you leave this page.
    </p>
  </div>
);

/** Message that another user has changed the record. The user chooses which values to keep. */
const Outdated = ({ isOutdated, onRefresh }: { isOutdated: boolean; onRefresh(keepsEdits: boolean): void }) => (
  <div role="status">
    {isOutdated && (
      <div class="alarm stack">
        <p>Somebody has changed the record since you opened this form.</p>
        <p class="row">
          <button type="button" class="plain" onClick={() => onRefresh(true)}>
            Keep my changes
          </button>
          <button type="button" class="plain" onClick={() => onRefresh(false)}>
            Discard my changes
          </button>
        </p>
      </div>
    )}
  </div>
);
