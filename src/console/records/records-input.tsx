import type { Failure } from '../data/index.ts';
import { RecordInput, RecordName } from './record-input.tsx';

interface RecordsInputProps {
  readonly label: string;
  readonly name: string;
  /** Type of the records. */
  readonly type: string;
  /** IDs of the records. */
  readonly values: readonly string[];
  onChange(values: readonly string[]): void;
  readonly failure: Failure | null;
  readonly hint?: string;
}

/** Input for several records. It lists the chosen records and contains an input that adds a record. */
export function RecordsInput({ label, type, values, onChange, ...input }: RecordsInputProps) {
  return (
    <div class="stack">
      <RecordInput
        {...input}
        label={`${label}: add`}
        type={type}
        value=""
        onChange={(id) => id && !values.includes(id) && onChange([...values, id])}
      />
      {values.length > 0 && (
        <ul class="row chips" aria-label={label}>
          {values.map((id) => (
            <li key={id} class="chip">
              <RecordName type={type} id={id} />{' '}
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${id}`}
                onClick={() => onChange(values.filter((each) => each !== id))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
