import { useId } from 'preact/hooks';
import { type Failure, problemOf } from '../data/failure.ts';
import { FieldMessages } from './field-messages.tsx';

interface FieldProps {
  readonly label: string;
  /** Name of the input in GraphQL. Problems refer to this name. */
  readonly name: string;
  readonly value: string;
  onChange(value: string): void;
  readonly failure?: Failure | null;
  readonly hint?: string;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'datetime-local' | 'url' | 'textarea' | 'select';
  /** Options of a select. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Values that the input suggests. Other values are possible. */
  readonly suggestions?: readonly string[];
  readonly required?: boolean;
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  readonly inputMode?: 'numeric' | 'decimal';
}

/** Labeled input. It shows the problem that the service reports for its value. */
export function Field({
  label,
  name,
  value,
  onChange,
  failure = null,
  hint,
  type = 'text',
  options = [],
  suggestions,
  ...rest
}: FieldProps) {
  const id = useId();
  const problem = problemOf(failure, name);
  const descriptions = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const { autoFocus, ...attributes } = rest;
  // Without a step of one second, browsers reject times with seconds.
  const hasSeconds = type === 'datetime-local' && value.length > '2026-01-01T12:00'.length;
  const input = {
    ...attributes,
    id,
    name,
    value,
    list: suggestions && `${id}-suggestions`,
    'aria-describedby': descriptions || undefined,
    'aria-invalid': problem !== undefined || undefined,
    // The attribute `autofocus` has no effect on elements that are added to dialogs later.
    ref: (element: HTMLElement | null) => void (autoFocus && element?.dataset.focused !== 'true' && focusOnce(element)),
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'textarea' ? (
        <textarea {...input} />
      ) : type === 'select' ? (
        <select {...input}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        // The attribute types depend on the type of the input.
        <input {...input} type={type as 'text'} step={hasSeconds ? 1 : undefined} />
      )}
      {suggestions && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  );
}

function focusOnce(element: HTMLElement | null): void {
  if (!element) return;
  element.dataset.focused = 'true';
  element.focus();
}
