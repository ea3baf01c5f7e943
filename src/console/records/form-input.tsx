import type { Failure } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { TimeInput } from '../elements/time-input.tsx';
import { enumValuesOf } from './catalog.ts';
import { type FormField, type FormValues, isTextReference } from './form-values.ts';
import { RecordInput } from './record-input.tsx';
import { RecordsInput } from './records-input.tsx';
import { labelOfConstant, labelOfName, textOfHelp } from './words.ts';

/** Names and descriptions of texts with several lines. */
const longText = /description|content|^text$|body|note|comment|memo|message/i;
const longTextHelp = /At most \d{2,3},\d{3}|At most 1,000,000/;

const isLongText = (name: string, help: string | undefined, value: string): boolean =>
  longText.test(name) || longTextHelp.test(help ?? '') || value.length > 100 || value.includes('\n');

interface FormInputProps {
  readonly formField: FormField;
  readonly value: FormValues[string];
  onChange(value: FormValues[string]): void;
  readonly failure: Failure | null;
  /** Whether the form creates a record, so that inputs without a value get defaults. */
  readonly isNew: boolean;
  /** Code of the currency of amounts. Empty if it is unknown. */
  readonly currency: string;
}

/** Input for a value, by its type. */
export function FormInput({ formField: { path, field, current }, value, onChange, failure, isNew, currency }: FormInputProps) {
  const { name, type, record, isRequired } = field;
  const help = textOfHelp(field.help ?? current?.help ?? '');
  const isById = type === 'ID' && record !== undefined;
  const label = labelOfName(isById ? name.replace(/Ids?$/, '') : name);
  const props = { label, name: path, failure, ...(help && { hint: help }), ...(isRequired && { required: true }) };
  if (typeof value !== 'string') {
    if (isById) return <RecordsInput {...props} type={record} values={value} onChange={onChange} />;
    return (
      <Field
        {...props}
        type="textarea"
        hint={[help, 'One per line.'].filter(Boolean).join(' ')}
        value={value.join('\n')}
        onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
      />
    );
  }
  const input = { ...props, value, onChange };
  if (isById) return <RecordInput {...input} type={record} />;
  if (record && isTextReference(field)) return <RecordInput {...input} type={record} reference="code" />;
  const options = selectOptionsOf(type, value);
  if (options) {
    const hasEmpty = isNew || value === '' || !current?.isRequired;
    return <Field {...input} type="select" options={hasEmpty ? [['', isNew ? 'Default' : 'Not set'], ...options] : options} />;
  }
  if (type === 'Instant' || type === 'LocalDateTime') return <TimeInput {...input} isLocal={type === 'LocalDateTime'} />;
  if (type === 'Date') return <Field {...input} type="date" />;
  if (type === 'Money')
    return (
      <Field
        {...input}
        label={currency && !/rate$/i.test(name) ? `${label} in ${currencyOf(name, currency)}` : label}
        inputMode="decimal"
      />
    );
  if (type === 'Int' || type === 'Float') return <Field {...input} inputMode={type === 'Int' ? 'numeric' : 'decimal'} />;
  return <Field {...input} autoComplete="off" type={isLongText(name, help, value) ? 'textarea' : 'text'} />;
}

const currencyOf = (name: string, currency: string): string => (/InUsd$/.test(name) ? 'USD' : currency);

/** Returns the options of an enum or a yes-no value. Values that cannot be set are omitted, except the current one. */
function selectOptionsOf(type: string, value: string): readonly (readonly [value: string, label: string])[] | undefined {
  if (type === 'Boolean')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ];
  return enumValuesOf(type)
    ?.filter(({ name, help = '' }) => name === value || !/Read-only/.test(help))
    .map(({ name }) => [name, labelOfConstant(name)] as const);
}
