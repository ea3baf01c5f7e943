import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from './field.tsx';

/** Delay between the last key press and the search, in milliseconds. */
const delay = 300;

interface SearchFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Texts that the input suggests. Other texts are possible. */
  readonly suggestions?: readonly string[];
  /** Text of the current search. */
  readonly value: string;
  /** Called with the trimmed text when the user stops typing or presses Enter. */
  onSearch(text: string): void;
}

/** Search form of a page. It searches while the user types. */
export const SearchField = (props: SearchFieldProps) => (
  <search>
    <TextFilter {...props} />
  </search>
);

/** Text input that filters while the user types. */
export function TextFilter({ label, hint, suggestions, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const searched = useRef(value);
  const search = () => {
    if (text.trim() === searched.current) return;
    searched.current = text.trim();
    onSearch(searched.current);
  };
  useEffect(() => {
    const timer = setTimeout(search, delay);
    return () => clearTimeout(timer);
  }, [text]);
  // The value also changes when the user goes back in the browser history or clears the filters.
  useEffect(() => {
    if (value === searched.current) return;
    searched.current = value;
    setText(value);
  }, [value]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <Field
        label={label}
        name="search"
        type="search"
        value={text}
        onChange={setText}
        autoComplete="off"
        {...(hint ? { hint } : {})}
        {...(suggestions ? { suggestions } : {})}
      />
    </form>
  );
}
