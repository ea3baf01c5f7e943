import type { Failure } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { TimeInput } from '../elements/time-input.tsx';
import { enumValuesOf, fieldsOfValue } from './catalog.ts';
import {
  type FormField,
  type FormValues,
  initialValuesOf,
  isTextReference,
  itemFieldsOf,
  itemOf,
  valuesOfItem,
} from './form-values.ts';
import { RecordInput } from './record-input.tsx';
import { RecordsInput } from './records-input.tsx';
import { labelOfConstant, labelOfName, textOfHelp } from './words.ts';

/** Patterns for the names and descriptions of fields that contain long texts. */
const longText = /description|content|^text$|body|note|comment|memo|message/i;
const longTextHelp = /At most \d{2,3},\d{3}|At most 1,000,000/;

const isLongText = (name: string, help: string | undefined, value: string): boolean =>
  longText.test(name) || longTextHelp.test(help ?? '') || value.length > 100 || value.includes('\n');

interface FormInputProps {
  readonly formField: FormField;
  readonly value: FormValues[string];
  onChange(value: FormValues[string]): void;
  readonly failure: Failure | null;
  /** Whether the form creates a record. If it does, inputs without a value get defaults. */
  readonly isNew: boolean;
  /** Code of the currency of amounts. Empty if it is unknown. */
  readonly currency: string;
}

/** Input for a value. The type of the value determines the kind of input. */
export function FormInput(input: FormInputProps) {
  const { formField, value, onChange, failure, isNew, currency } = input;
  const { path, field, current } = formField;
  const { name, type, record, isRequired } = field;
  const help = textOfHelp(field.help ?? current?.help ?? '');
  const isById = type === 'ID' && record !== undefined;
  const label = labelOfName(isById ? name.replace(/Ids?$/, '') : name);
  const props = { label, name: path, failure, ...(help && { hint: help }), ...(isRequired && { required: true }) };
  if (typeof value !== 'string') {
    if (fieldsOfValue(type)) return <ItemsInput {...input} label={label} items={value} />;
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
  const textInput = { ...props, value, onChange };
  if (isById) return <RecordInput {...textInput} type={record} />;
  if (record && isTextReference(field)) return <RecordInput {...textInput} type={record} reference="code" />;
  const options = selectOptionsOf(type, value);
  if (options) {
    const hasEmpty = isNew || value === '' || !current?.isRequired;
    return (
      <Field {...textInput} type="select" options={hasEmpty ? [['', isNew ? 'Default' : 'Not set'], ...options] : options} />
    );
  }
  if (type === 'Instant' || type === 'LocalDateTime') return <TimeInput {...textInput} isLocal={type === 'LocalDateTime'} />;
  if (type === 'Date') return <Field {...textInput} type="date" />;
  if (type === 'Money')
    return (
      <Field
        {...textInput}
        label={currency && !/rate$/i.test(name) ? `${label} in ${currencyOf(name, currency)}` : label}
        inputMode="decimal"
      />
    );
  if (type === 'Int' || type === 'Float') return <Field {...textInput} inputMode={type === 'Int' ? 'numeric' : 'decimal'} />;
  return <Field {...textInput} autoComplete="off" type={isLongText(name, help, value) ? 'textarea' : 'text'} />;
}

interface ItemsInputProps extends FormInputProps {
  readonly label: string;
  readonly items: readonly string[];
}

/** Inputs for a list of values. Each item has its own inputs. */
function ItemsInput({ formField, label, items, onChange, failure, currency }: ItemsInputProps) {
  const parts = itemFieldsOf(formField);
  const help = textOfHelp(formField.field.help ?? formField.current?.help ?? '');
  const itemLabel = (index: number) => `${label}, item ${index + 1}`;
  return (
    <fieldset class="stack items-input">
      <legend>{label}</legend>
      {help && <p class="quiet small">{help}</p>}
      {items.map((item, index) => {
        const values = valuesOfItem(item);
        const setItem = (path: string, value: FormValues[string]) =>
          onChange(items.with(index, itemOf({ ...values, [path]: value })));
        return (
          <fieldset key={index} class="fields">
            <legend class="hidden">{itemLabel(index)}</legend>
            {parts.map((part) => (
              <FormInput
                key={part.path}
                formField={{ ...part, path: `${formField.path}[${index}].${part.path}` }}
                value={values[part.path] ?? ''}
                onChange={(value) => setItem(part.path, value)}
                {...{ failure, currency }}
                isNew={false}
              />
            ))}
            {!formField.field.mergedBy && (
              <button
                type="button"
                class="link"
                aria-label={`Remove ${itemLabel(index)}`}
                onClick={() => onChange(items.filter((_, position) => position !== index))}
              >
                Remove
              </button>
            )}
          </fieldset>
        );
      })}
      <p>
        <button
          type="button"
          class="plain"
          aria-label={`Add an item to ${label}`}
          onClick={() => onChange([...items, itemOf(initialValuesOf(parts, null))])}
        >
          Add
        </button>
      </p>
    </fieldset>
  );
}

const currencyOf = (name: string, currency: string): string => (/InUsd$/.test(name) ? 'USD' : currency);

/** Returns the options of an enum or a boolean. Values that cannot be set are omitted, except the current one. */
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
