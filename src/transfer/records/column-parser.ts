import { columnsOf, type FieldMeta, metaOf, type RecordClass, type RecordMeta } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { emailFormat, normalizeEmail } from '../../kernel/declare/scalars/email.js';
import { normalizeDecimal } from '../../kernel/declare/scalars/scalars.js';
import { isLongerThan, toNfc } from '../../kernel/declare/scalars/text.js';
import { passwordHashProblem } from '../../modules/accounts/passwords/hashes/stored-hash.js';
import { hashOf } from '../../modules/accounts/tokens/secrets.js';
import {
  type HintColumn,
  hintColumnOf,
  isPasswordHash,
  minHintedLength,
  type SecretFormat,
  secretFormatOf,
  secretKeyOf,
} from '../dictionary/hashed-columns.js';
import { instantOrDayFormat, normalizeInstantOrDay } from '../instant-or-day.js';
import { derivedSlug } from './user-slugs-sql.js';

/** Value that a column does not accept. `expected` is a noun phrase. */
export class InvalidValue {
  constructor(readonly expected: string) {}
}

/** Converts a value of a file to the text of the column. Never called for null. */
type ParseValue = (value: unknown) => string | InvalidValue;

/** Column of an import, with the rules for reading its values from files. */
export interface ImportedColumn {
  readonly name: string;
  /** Name of the property in the record class. */
  readonly key: string;
  readonly parse: ParseValue;
  /** Converts the text of a CSV field to the value that `parse` expects. */
  readonly fromCsv: (text: string) => unknown;
  /** Text for a missing value or null. An InvalidValue if the column needs a value. */
  readonly missing: string | null | InvalidValue;
  /** SQL expression for a default that the database computes for each row. Null if the column has no such default. */
  readonly defaultSql: string | null;
  /** SQL literal of the value that `/v1` does not distinguish from null: 0 or empty text. Null for other columns. */
  readonly unsetSql: string | null;
  /** Key of the unhashed secret, which a file can contain instead of the column. Null for other columns. */
  readonly valueKey: string | null;
  /** Format of the unhashed secret. Null if it can be any text. */
  readonly secretFormat: SecretFormat | null;
  /** Source of the value if the imported row has none: an unhashed secret. Null for columns that do not depend on a secret. */
  readonly hint: HintColumn | null;
  /** Whether null and empty text never replace a stored value. True for hashes and first characters of secrets, and for slugs of users. */
  readonly ignoresEmpty: boolean;
  /** Whether a trigger replaces values that are written. */
  readonly isComputed: boolean;
}

const [text, id] = [new InvalidValue('a string'), new InvalidValue('a string or an integer')];
const nul = new InvalidValue('text without NUL characters');
const malformed = new InvalidValue('well-formed Unicode text');

/** Checks the format and the length of a text, as the graph does for writes. */
function textParser({ max, format }: Pick<FieldMeta, 'max' | 'format'>, noun: InvalidValue): ParseValue {
  const tooLong = new InvalidValue(`at most ${max} characters`);
  const wrongFormat = new InvalidValue(format?.expected ?? '');
  return (value) => {
    if (typeof value !== 'string') return noun;
    if (format && !format.matches(value)) return wrongFormat;
    if (value.includes('\0')) return nul;
    if (!value.isWellFormed()) return malformed;
    return isLongerThan(value, max) ? tooLong : value;
  };
}

/** Accepts integers as IDs, because other systems number their rows. */
function idParser(field: FieldMeta): ParseValue {
  const parseText = textParser(field, id);
  const empty = new InvalidValue(`an id of 1 to ${field.max} characters`);
  return (value) => {
    if (value === '' && field.kind === 'id') return empty;
    return parseText(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value);
  };
}

function numberParser({ kind, range }: FieldMeta): ParseValue {
  const isInteger = kind === 'int';
  const [min, max] = range ?? (isInteger ? [-(2 ** 31), 2 ** 31 - 1] : [-Number.MAX_VALUE, Number.MAX_VALUE]);
  const expected = range ? `a number from ${min} to ${max}` : isInteger ? 'a 32-bit integer' : 'a number';
  const invalid = new InvalidValue(expected);
  return (value) =>
    typeof value === 'number' && value >= min && value <= max && (!isInteger || Number.isInteger(value))
      ? String(value)
      : invalid;
}

const decimal = new InvalidValue('a decimal number with at most 30 digits before and 20 after the point');
const flag = new InvalidValue('true or false');
const instant = new InvalidValue(instantOrDayFormat);

/** Fast path for valid timestamps in UTC, which the database parses. Excludes days after the 28th, which do not exist in every month. */
const utcPattern =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|\+00:00)$/;

function parseInstant(value: unknown): string | InvalidValue {
  if (typeof value !== 'string') return instant;
  if (utcPattern.test(value)) return value;
  return normalizeInstantOrDay(value) ?? instant;
}

const array = new InvalidValue('an array of strings');

function listParser(field: FieldMeta): ParseValue {
  const parseItem = textParser(field, text);
  const [maxItems = Number.POSITIVE_INFINITY, items] = field.maxItems ?? [];
  return (value) => {
    if (!Array.isArray(value)) return array;
    if (value.length > maxItems) return new InvalidValue(`at most ${maxItems} ${items}`);
    const texts: string[] = [];
    for (const item of value) {
      const itemText = parseItem(item);
      if (itemText instanceof InvalidValue) return itemText;
      texts.push(`"${itemText.replace(/["\\]/g, '\\$&')}"`);
    }
    return `{${texts.join()}}`;
  };
}

const parseDocumentText = textParser({ max: 10_000 }, text);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum nesting depth of JSON values, as in requests. Code that reads JSON values recurses once per level. */
const maxLevels = 100;
const tooDeep = new InvalidValue(`a JSON value with at most ${maxLevels} nesting levels`);

/** Returns the first problem in a JSON value: too many levels, or an invalid string. */
function documentProblem(value: unknown, level = 1): InvalidValue | null {
  if (typeof value === 'string') {
    const result = parseDocumentText(value);
    return result instanceof InvalidValue ? result : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (level > maxLevels) return tooDeep;
  for (const item of Object.values(value)) {
    const problem = documentProblem(item, level + 1);
    if (problem) return problem;
  }
  return null;
}

function jsonParser({ group }: FieldMeta): ParseValue {
  const itemClass = group?.();
  const checkItems = Array.isArray(itemClass) ? itemsCheck(metaOf(itemClass[0])) : null;
  return (value) => checkItems?.(value) ?? documentProblem(value) ?? JSON.stringify(value);
}

/** Returns a function that checks a list of objects with declared fields. */
function itemsCheck({ fields }: RecordMeta): (value: unknown) => InvalidValue | null {
  const parsers = new Map([...fields.values()].map((field) => [field.name, valueParser(field)]));
  const list = new InvalidValue(`an array of objects with the keys ${[...parsers.keys()].join(', ')}`);
  return (value) => {
    if (!Array.isArray(value)) return list;
    for (const item of value) {
      if (!isObject(item)) return list;
      for (const [key, itemValue] of Object.entries(item)) {
        const parse = parsers.get(key);
        if (!parse) return list;
        const result = itemValue === null ? null : parse(itemValue);
        if (result instanceof InvalidValue) return new InvalidValue(`in \`${key}\`: ${result.expected}`);
      }
    }
    return null;
  };
}

function valueParser(field: FieldMeta): ParseValue {
  switch (field.kind) {
    case 'id':
    case 'ref':
      return idParser(field);
    case 'text':
      return textParser(field, text);
    case 'values': {
      const values = new Set<unknown>(Object.keys(field.values ?? {}));
      const invalid = new InvalidValue(`one of ${[...values].join(', ')}`);
      return (value) => (typeof value === 'string' && values.has(value) ? value : invalid);
    }
    case 'flag':
      return (value) => (typeof value === 'boolean' ? String(value) : flag);
    case 'int':
    case 'num':
      return numberParser(field);
    case 'money':
      // Keeps trailing zeros, which `normalizeDecimal` removes.
      return (value) => {
        const normalized = normalizeDecimal(value);
        return normalized === null ? decimal : typeof value === 'string' ? value : normalized;
      };
    case 'instant':
      return parseInstant;
    case 'list':
      return listParser(field);
    case 'json':
    case 'group':
      return jsonParser(field);
  }
}

const sha256 = new InvalidValue('a SHA-256 in base64url (43 characters) or hexadecimal (64 digits)');

/** Also accepts a SHA-256 in hexadecimal. The database stores it in base64url. */
function parseSha256(value: unknown): string | InvalidValue {
  if (typeof value !== 'string') return sha256;
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex').toString('base64url');
  return /^[\w-]{43}$/.test(value) ? value : sha256;
}

/** Returns the first characters of a secret value. Null for a missing, invalid or short value. */
export const hintFor = (hint: HintColumn, value: unknown): string | null =>
  typeof value === 'string' && value.length >= minHintedLength ? hint.hintOf(value) : null;

const secret = new InvalidValue('a secret value of 1 to 1000 characters');

/** Returns the hash of a secret value, such as a platform token. */
export function hashSecret(value: unknown, format: SecretFormat | null): string | InvalidValue {
  if (typeof value === 'string' && value !== '' && value.length <= 1000 && (format?.matches(value) ?? true)) return hashOf(value);
  return format ? new InvalidValue(format.expected) : secret;
}

function parsePasswordHash(value: unknown): string | InvalidValue {
  if (typeof value !== 'string') return text;
  const problem = passwordHashProblem(value);
  return problem === null ? value : new InvalidValue(problem);
}

function parserOf(table: string, name: string, field: FieldMeta): ParseValue {
  if (secretKeyOf(table, name)) return parseSha256;
  if (isPasswordHash(table, name)) return parsePasswordHash;
  const parse = valueParser(field);
  const normalize =
    field.unique && field.format === emailFormat
      ? normalizeEmail
      : field.isUpperCase
        ? (value: string) => toNfc(value).toUpperCase()
        : field.comparison === 'nfc'
          ? toNfc<string>
          : null;
  if (!normalize) return parse;
  return (value) => parse(typeof value === 'string' ? normalize(value) : value);
}

const csvFlags: Readonly<Record<string, boolean>> = { true: true, false: false, t: true, f: false, '1': true, '0': false };

/** Parses JSON text in a CSV field. Returns undefined for other text, which no column accepts. */
function fromJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function csvConversion({ kind }: FieldMeta): (text: string) => unknown {
  if (kind === 'flag') return (value) => csvFlags[value.toLowerCase()];
  if (kind === 'int' || kind === 'num') return (value) => (value.trim() === '' ? undefined : Number(value));
  if (kind === 'json' || kind === 'list') return fromJson;
  return (value) => value;
}

/** Values that `/v1` does not distinguish from null, as SQL literals. */
const unsetValues: Readonly<Partial<Record<FieldMeta['kind'], string>>> = {
  int: '0',
  num: '0',
  money: '0',
  text: "''",
  ref: "''",
};

/** Defaults that are the same for all rows, in the text format of the column. */
const constantDefaults: Readonly<Record<string, string>> = { "'{}'": '{}', "'[]'": '[]', false: 'false', true: 'true' };

const missingValue = new InvalidValue('a value');

/** Returns the columns of a record, in the order of the dictionary. */
export function importedColumnsOf(cls: RecordClass): ImportedColumn[] {
  const { table } = optionsOf(cls);
  return [...columnsOf(metaOf(cls)).values()].map(({ key, column: name, field }) => {
    const isSlugOfUser = table === 'app_user' && name === 'slug';
    const constantDefault = field.default === null ? null : (constantDefaults[field.default] ?? null);
    const hint = hintColumnOf(table, name);
    const isHash = secretKeyOf(table, name) !== null || isPasswordHash(table, name);
    const needsValue = field.required && field.default === null && !isSlugOfUser;
    return {
      name,
      key,
      parse: parserOf(table, name, field),
      fromCsv: csvConversion(field),
      missing: needsValue ? missingValue : constantDefault,
      defaultSql: constantDefault === null ? (isSlugOfUser ? derivedSlug : field.default) : null,
      unsetSql: unsetValues[field.kind] ?? null,
      valueKey: secretKeyOf(table, name),
      secretFormat: secretFormatOf(table, name),
      hint,
      ignoresEmpty: isSlugOfUser || isHash || hint !== null,
      isComputed: field.isComputed ?? false,
    };
  });
}
