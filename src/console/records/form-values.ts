import type { FieldType, MutationType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import { fieldsOfValue, recordTypeOf } from './catalog.ts';
import { isList, isValues, textOf, type Values, valueAt } from './record.ts';

/** Input of a form: an argument of a mutation, or a field of its input. */
export interface FormField {
  /** Path in the variables of the mutation, such as `input.location.city`. Problems name it. */
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

/** Groups the inputs below a field. Lists of values cannot be edited in the form. */
function groupsOf(
  fields: readonly FieldType[],
  current: readonly FieldType[],
  path: readonly string[],
  valuePath: readonly string[],
  parent?: FieldType,
): readonly FormGroup[] {
  const currentField = (name: string) => current.find((field) => field.name === name);
  const own = fields.filter((field) => !isObjectInput(field) && field.name !== 'id');
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

/** Returns the lists of values in the input of a mutation, for which the form has no inputs. */
export const uneditableFieldsOf = ({ args }: MutationType): readonly FieldType[] =>
  args.flatMap(({ type }) => fieldsOfValue(type) ?? []).filter((field) => field.isList && isObjectInput(field));

/** Values of a form by the path of their input. Empty texts stand for null. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** Whether an input refers to a record by a text, such as the code of a currency. */
export const isTextReference = ({ type, record }: FieldType): boolean => type === 'String' && record !== undefined;

/** Converts a value of a record to the value of its input. */
function inputValueOf({ field, valuePath }: FormField, record: Values | null): string | readonly string[] {
  const value = valueAt(record ?? undefined, valuePath);
  if (field.isList) return isList(value) ? value.map(textOf) : [];
  if (isValues(value) && field.record) return textOf(value[recordTypeOf(field.record)?.code ?? 'title']);
  return typeof value === 'boolean' ? String(value) : textOf(value);
}

export const initialValuesOf = (fields: readonly FormField[], record: Values | null): FormValues =>
  Object.fromEntries(fields.map((field) => [field.path, inputValueOf(field, record)]));

/** Converts the text of an input. Texts that are no numbers stay texts, so that the service reports them. */
function variableOf({ field }: FormField, value: string | readonly string[]): Json {
  if (typeof value !== 'string') return value;
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
