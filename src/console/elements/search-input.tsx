import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Failure, problemOf } from '../data/failure.ts';
import { FieldMessages } from './field-messages.tsx';

/** Delay between the last key press and the search, in milliseconds. */
const searchDelay = 200;

/** Item that a search found. */
export interface SearchOption {
  readonly value: string;
  readonly label: string;
}

interface SearchInputProps {
  readonly label: string;
  /** Name of the input in GraphQL. Problems refer to this name. */
  readonly name: string;
  /** Label of the chosen item. Empty if none is chosen. */
  readonly text: string;
  /** Items that match the text that the user has typed. Undefined while they are loading. */
  readonly options: readonly SearchOption[] | undefined;
  /** Called with the typed text when the user has paused, and with null when the list is closed. */
  onSearch(text: string | null): void;
  /** Called with the chosen item, or with null if the input was cleared. */
  onChange(option: SearchOption | null): void;
  readonly failure?: Failure | null;
  readonly hint?: string | undefined;
  readonly required?: boolean;
}

/** Input that finds an item by text: a combobox with a list of matches, which works with the keyboard. */
export function SearchInput({
  label,
  name,
  text,
  options,
  onSearch,
  onChange,
  failure = null,
  hint,
  required,
}: SearchInputProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [activeIndex, setActiveIndex] = useState(-1);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const problem = problemOf(failure, name);
  const descriptions = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const isOpen = typed !== null;
  const search = (value: string, delay: number) => {
    setTyped(value);
    setActiveIndex(-1);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value), delay);
  };
  const close = () => {
    clearTimeout(timer.current);
    setTyped(null);
    onSearch(null);
  };
  const choose = (option: SearchOption | null) => {
    onChange(option);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = options?.length ?? 0;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) search('', 0);
      else if (count > 0) setActiveIndex((activeIndex + (event.key === 'ArrowDown' ? 1 : count)) % count);
    } else if (event.key === 'Enter' && isOpen) {
      // Enter chooses an item and does not submit the form.
      event.preventDefault();
      const option = options?.[activeIndex] ?? (count === 1 ? options?.[0] : undefined);
      if (option) choose(option);
    } else if (event.key === 'Escape' && isOpen) {
      // Escape closes only the list, not a dialog that contains the input.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  const isActive = (index: number) => index === activeIndex;
  return (
    <div class="field search-input">
      <label for={id}>{label}</label>
      <div class="row">
        <input
          id={id}
          name={name}
          role="combobox"
          type="text"
          autoComplete="off"
          value={typed ?? text}
          required={required}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
          aria-describedby={descriptions || undefined}
          aria-invalid={problem !== undefined || undefined}
          onInput={({ currentTarget }) => search(currentTarget.value, searchDelay)}
          onClick={() => isOpen || search('', 0)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {text && (
          <button type="button" class="plain" aria-label={`Clear ${label}`} onClick={() => choose(null)}>
            ✕
          </button>
        )}
      </div>
      <div
        class="options"
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={!isOpen || !options || options.length === 0}
      >
        {options?.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={isActive(index)}
            ref={(element) => void (isActive(index) && element?.scrollIntoView({ block: 'nearest' }))}
            // Keeps the focus in the input.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option.label}
          </div>
        ))}
      </div>
      <p role="status" class="quiet small">
        {isOpen && (options === undefined ? 'Searching…' : options.length === 0 ? 'No matches.' : '')}
      </p>
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  );
}
