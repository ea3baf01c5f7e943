import type { RecordType } from 'courtside-console/catalog';
import { useState } from 'preact/hooks';
import { type Failure, useQuery } from '../data/index.ts';
import { SearchInput } from '../elements/search-input.tsx';
import { recordTypeOf } from './catalog.ts';
import { searchFilterOf } from './conditions.ts';
import { partDocument, recordIn, searchDocument } from './documents.ts';
import { labelSelectionOf, recordLabel, textOf, type Values } from './record.ts';

/** Value with which an input refers to a record: its ID, or else its code or title. */
type Reference = 'id' | 'code';

const referenceField = (type: RecordType, reference: Reference): string => (reference === 'code' ? (type.code ?? 'title') : 'id');

/** Name of the record with the given ID. Until the name is loaded, and if the record does not exist, the ID is shown. */
export function RecordName({ type, id }: { type: string; id: string }) {
  const recordType = recordTypeOf(type);
  return recordType ? <LoadedName name={type} type={recordType} id={id} /> : <code>{id}</code>;
}

function LoadedName({ name, type, id }: { name: string; type: RecordType; id: string }) {
  const record = recordIn(useQuery(partDocument(type, labelSelectionOf(name)), { id }).data);
  return record ? <span>{recordLabel(name, record)}</span> : <code>{id}</code>;
}

interface RecordInputProps {
  readonly label: string;
  readonly name: string;
  /** Type of the record. */
  readonly type: string;
  readonly value: string;
  onChange(value: string): void;
  readonly reference?: Reference;
  readonly failure?: Failure | null;
  readonly hint?: string | undefined;
  readonly required?: boolean;
}

/** Input that finds a record by its name. */
export function RecordInput({ type, ...props }: RecordInputProps) {
  const recordType = recordTypeOf(type);
  return recordType ? <LoadedInput {...props} typeName={type} type={recordType} /> : null;
}

function LoadedInput({
  typeName,
  type,
  value,
  onChange,
  reference = 'id',
  ...input
}: Omit<RecordInputProps, 'type'> & { typeName: string; type: RecordType }) {
  const [searched, setSearched] = useState<string | null>(null);
  const [chosenLabel, setChosenLabel] = useState<{ value: string; label: string } | null>(null);
  const matches = useQuery(searchDocument(typeName, type), searched === null ? null : { filter: searchFilterOf(type, searched) });
  const isKnown = value === '' || reference === 'code' || chosenLabel?.value === value;
  const current = useQuery(partDocument(type, labelSelectionOf(typeName)), isKnown ? null : { id: value });
  const record = recordIn(current.data);
  const loadedLabel = record ? recordLabel(typeName, record) : value;
  const text = chosenLabel?.value === value ? chosenLabel.label : loadedLabel;
  const optionOf = (match: Values) => {
    const label = recordLabel(typeName, match);
    const code = textOf(match[type.code ?? '']);
    return {
      value: textOf(match[referenceField(type, reference)]),
      label: code && code !== label ? `${label} (${code})` : label,
    };
  };
  return (
    <SearchInput
      {...input}
      text={value === '' ? '' : text}
      options={matches.failure ? [] : matches.data?.list?.nodes.map(optionOf)}
      onSearch={setSearched}
      onChange={(option) => {
        setChosenLabel(option);
        onChange(option?.value ?? '');
      }}
    />
  );
}
