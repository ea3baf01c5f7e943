import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Facts } from './facts.tsx';

/** State of a form for values that other users can change at the same time. */
export interface Edits<Values> {
  /** Values to show in the form: typed values, and the stored values of the other fields. */
  readonly values: Values;
  /** Typed values that differ from the stored ones. If only these are sent, changes by other users are kept. */
  readonly changes: Partial<Values>;
  /** Stored values that other users have changed since the user began to edit these fields. Sending `changes` replaces them. */
  readonly conflicts: Partial<Values>;
  change(values: Values): void;
  /** Discards all typed values. */
  discard(): void;
}

interface State<Values> {
  readonly typed: Partial<Values>;
  /** Stored values of the typed fields when the user began to edit them. */
  readonly original: Partial<Values>;
}

/** Keeps typed values even if the stored values change in the meantime. */
export function useEdits<Values extends object>(stored: Values): Edits<Values> {
  type Name = keyof Values;
  const none: State<Values> = { typed: {}, original: {} };
  const [{ typed, original }, setState] = useState(none);
  const names = Object.keys(stored) as Name[];
  const pick = (values: Partial<Values>, isPicked: (name: Name) => boolean) =>
    Object.fromEntries(names.filter(isPicked).map((name) => [name, values[name]])) as Partial<Values>;
  const isChanged = (name: Name) => name in typed && typed[name] !== stored[name];
  return {
    values: { ...stored, ...typed },
    changes: pick(typed, isChanged),
    conflicts: pick(stored, (name) => isChanged(name) && original[name] !== stored[name]),
    change(values) {
      const isTyped = (name: Name) => name in typed || values[name] !== stored[name];
      setState({ typed: pick(values, isTyped), original: { ...pick(stored, isTyped), ...original } });
    },
    discard: () => setState(none),
  };
}

interface ConflictAlertProps<Values> {
  readonly edits: Edits<Values>;
  readonly labels: Readonly<Record<keyof Values, string>>;
  /** Returns the content to show for a stored value. Default: the value itself. */
  readonly contentOf?: (name: keyof Values, value: string) => ComponentChildren;
}

/** Alert that lists the values that other users have saved and that the form would replace. Shows nothing if there are none. */
export function ConflictAlert<Values>({ edits, labels, contentOf = (_, value) => value }: ConflictAlertProps<Values>) {
  const conflicts = Object.entries(edits.conflicts) as [keyof Values, string][];
  if (conflicts.length === 0) return null;
  return (
    <div role="alert" class="alarm">
      <p>Somebody else has changed these fields. If you save, your entries replace the new values:</p>
      <Facts facts={conflicts.map(([name, value]) => [labels[name], value === '' ? null : contentOf(name, value)])} />
      <button type="button" class="plain" onClick={edits.discard}>
        Discard my changes
      </button>
    </div>
  );
}
