import type { FieldType, MutationType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import { fieldsOfValue, recordTypeOf } from './catalog.ts';
import { isList, isValues, textOf, type Values, valueAt } from './record.ts';

/** Input of a form: an argument of a mutation, or a field of its input. */
export interface FormField {
  /** Path in the variables of the mutation, such as `input.location.city`. Problems refer to this path. */
  readonly path: string;
  /** Path of the current value in the record, such as `location.city`. */
  readonly valuePath: string;
  readonly field: FieldType;
  /** Field of the record with the current value. Undefined for values that cannot be read, such as passwords. */
  readonly current: FieldType | undefined;
}

/** Inputs of a form that belong together, such as the parts of a location. */
export interface FormGroup {
  /** Field that contains the inputs. Undefined for the inputs of the record itself. */
  readonly field: FieldType | undefined;
  readonly fields: readonly FormField[];
}

const isObjectInput = ({ type }: FieldType): boolean => fieldsOfValue(type) !== undefined;

/** Returns the inputs for one item in a list of values, such as the status of an approval. Input paths are relative to the item. */
export const itemFieldsOf = ({ field, current }: Pick<FormField, 'field' | 'current'>): readonly FormField[] =>
  (fieldsOfValue(field.type) ?? []).map((part) => ({
    field: part,
    current: fieldsOfValue(current?.type ?? '')?.find(({ name }) => name === part.name),
    path: part.name,
    valuePath: part.name,
  }));

/** Whether the form can edit a list of values. Saving replaces the whole list, so the record must contain all fields of the items. */
const isEditableList = (field: FieldType, current: FieldType | undefined): boolean =>
  field.isList === true &&
  itemFieldsOf({ field, current }).every(
    ({ field: part, current: currentPart }) => !isObjectInput(part) && currentPart !== undefined,
  );

/** Groups the inputs below a field. */
function groupsOf(
  fields: readonly FieldType[],
  current: readonly FieldType[],
  path: readonly string[],
  valuePath: readonly string[],
  parent?: FieldType,
): readonly FormGroup[] {
  const currentField = (name: string) => current.find((field) => field.name === name);
  const own = fields.filter(
    (field) => field.name !== 'id' && (!isObjectInput(field) || isEditableList(field, currentField(field.name))),
  );
  const nested = fields.filter((field) => isObjectInput(field) && !field.isList);
  return [
    {
      field: parent,
      fields: own.map((field) => ({
        field,
        current: currentField(field.name),
        path: [...path, field.name].join('.'),
        valuePath: [...valuePath, field.name].join('.'),
      })),
    },
    ...nested.flatMap((field) => {
      const { type, name } = field;
      const result = currentField(name);
      const parts = fieldsOfValue(type) ?? [];
      const currentParts = result ? (fieldsOfValue(result.type) ?? []) : [];
      return groupsOf(parts, currentParts, [...path, name], [...valuePath, name], { ...field, help: field.help ?? result?.help });
    }),
  ];
}

/** Returns the inputs of a mutation, in groups. The fields of its `input` belong to the record itself. */
export function formGroupsOf({ args }: MutationType, current: readonly FieldType[]): readonly FormGroup[] {
  const objects = args.filter(isObjectInput);
  const values = args.filter((arg) => !isObjectInput(arg));
  const groups = [
    ...(values.length > 0 ? groupsOf(values, current, [], []) : []),
    ...objects.flatMap(({ name, type }) => groupsOf(fieldsOfValue(type) ?? [], current, [name], [])),
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}

/** Returns the lists of values in the input of a mutation for which the form has no inputs. */
export const uneditableFieldsOf = ({ args }: MutationType, current: readonly FieldType[]): readonly FieldType[] =>
  args
    .flatMap(({ type }) => fieldsOfValue(type) ?? [])
    .filter((field) => field.isList && isObjectInput(field))
    .filter(
      (field) =>
        !isEditableList(
          field,
          current.find(({ name }) => name === field.name),
        ),
    );

/**
 * Values of a form, keyed by the path of their input. An empty text means null. Each item of a list of values is the JSON text of its own
 * form values.
 */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** Whether an input contains the title or code of a record, such as the code of a currency, instead of its ID. */
export const isTextReference = ({ type, record }: FieldType): boolean => type === 'String' && record !== undefined;

/** Converts a value of a record to the value of its input. */
function inputValueOf(formField: FormField, record: Values | null): string | readonly string[] {
  const { field, valuePath } = formField;
  const value = valueAt(record ?? undefined, valuePath);
  if (field.isList && isObjectInput(field))
    return isList(value)
      ? value.map((item) => itemOf(initialValuesOf(itemFieldsOf(formField), isValues(item) ? item : null)))
      : [];
  if (field.isList) return isList(value) ? value.map(textOf) : [];
  if (isValues(value) && field.record) return textOf(value[recordTypeOf(field.record)?.code ?? 'title']);
  return typeof value === 'boolean' ? String(value) : textOf(value);
}

export const initialValuesOf = (fields: readonly FormField[], record: Values | null): FormValues =>
  Object.fromEntries(fields.map((field) => [field.path, inputValueOf(field, record)]));

/** These functions convert the form values of an item to JSON text, and back. */
export const itemOf = (values: FormValues): string => JSON.stringify(values);
export const valuesOfItem = (item: string): FormValues => JSON.parse(item);

/** Converts the text of an input. Text that is not a number is not converted, so that the service reports it. */
function variableOf(formField: FormField, value: string | readonly string[]): Json {
  const { field } = formField;
  if (typeof value !== 'string') {
    if (!isObjectInput(field)) return value;
    const parts = itemFieldsOf(formField);
    return value.map((item) => {
      const values = valuesOfItem(item);
      return Object.fromEntries(parts.map((part) => [part.path, variableOf(part, values[part.path] ?? '')]));
    });
  }
  if (value === '') return field.isRequired ? '' : null;
  if (field.type === 'Boolean') return value === 'true';
  const isNumber = (field.type === 'Int' || field.type === 'Float') && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

const isEqual = (a: FormValues[string] | undefined, b: FormValues[string] | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export const changedFieldsOf = (fields: readonly FormField[], initial: FormValues, values: FormValues): readonly FormField[] =>
  fields.filter(({ path }) => !isEqual(initial[path], values[path]));

/** Sets a value at a path of nested objects. */
function withValue(target: Values, [name = '', ...rest]: readonly string[], value: Json): Values {
  if (rest.length === 0) return { ...target, [name]: value };
  const part = target[name];
  return { ...target, [name]: withValue(isValues(part) ? part : {}, rest, value) };
}

/** Returns the arguments of a mutation that sets fields to values. Required arguments are always present. */
export function variablesOf({ args }: MutationType, fields: readonly FormField[], values: FormValues, base: Values): Values {
  const required = args
    .filter(({ isRequired }) => isRequired)
    .map(({ name, type }) => [name, fieldsOfValue(type) ? {} : ''] as const);
  return fields.reduce<Values>(
    (variables, field) => withValue(variables, field.path.split('.'), variableOf(field, values[field.path] ?? '')),
    { ...Object.fromEntries(required), ...base },
  );
}
