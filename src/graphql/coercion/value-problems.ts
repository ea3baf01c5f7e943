import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { type Problem, withoutSchema } from '../../kernel/declare/errors.js';
import { isLegacy } from '../../kernel/declare/fields/legacy-fields.js';
import { isReadOnlyValue } from '../../kernel/declare/scalars/choices.js';

const withSuggestions = (problem: Problem, suggestions: readonly string[]): Problem =>
  suggestions.length ? { ...problem, suggestions } : problem;

/** Returns the problem to report for an input that lacks a required field. `path` is the path of the input. */
export const missingField = (path: string, name: string): Problem => ({
  field: `${path}.${name}`,
  expected: anyValue,
  [withoutSchema]: { field: path, expected: 'all required fields' },
});

/** Returns the problem of a field that does not exist in the input type. `path` is the path of the input. */
export const unknownField = (type: GraphQLInputType, path: string, name: string): Problem => {
  const field = `${path}.${name}`;
  const problem = { field, expected: expectedField(type), [withoutSchema]: { field, expected: 'a known field' } };
  return withSuggestions(problem, similarFields(type, name));
};

/** Returns the problem of a value that the type does not accept. */
export function invalidValue(type: GraphQLInputType, path: string, value: unknown): Problem {
  const namedType = getNamedType(type);
  const problem = { field: path, expected: expectedValue(namedType, path) };
  if (!isEnumType(namedType)) return problem;
  const problemWithoutSchema = { field: path, expected: 'a known value' };
  return withSuggestions({ ...problem, [withoutSchema]: problemWithoutSchema }, similarValues(namedType, value, path));
}

const scalars: Readonly<Record<string, string>> = {
  Int: 'a 32-bit integer',
  Float: 'a number',
  String: 'a string',
  ID: 'a string or an integer',
  Boolean: 'true or false',
  JSON: 'a JSON value',
  JSONObject: 'a JSON object',
};

/** Maximum number of enum values in a message. For larger enums, the message contains the name of the enum. */
const maxListedValues = 40;

/** Whether a path is inside a filter. Filters also accept enum values that are read-only in other inputs. */
const isFilterPath = (path: string): boolean => /^filter\b/.test(path);

/** Returns the names of the enum values that are accepted at a path. */
const acceptedValues = (type: GraphQLEnumType, path: string): readonly string[] =>
  type
    .getValues()
    .map(({ name }) => name)
    .filter((name) => isFilterPath(path) || !isReadOnlyValue(type.name, name));

/**
 * Returns a noun phrase for the values that a type accepts, for error messages. Lists are described by their items, because a
 * single item is accepted. `path` starts at the argument.
 */
export function expectedValue(type: GraphQLInputType, path: string): string {
  const namedType = getNamedType(type);
  if (isInputObjectType(namedType)) return 'an object';
  if (!isEnumType(namedType)) {
    const { expected } = namedType.extensions;
    return typeof expected === 'string' ? expected : (scalars[namedType.name] ?? `a value of ${namedType.name}`);
  }
  const values = acceptedValues(namedType, path);
  return values.length > maxListedValues ? `a value of ${namedType.name}` : `one of ${values.join(', ')}`;
}

/** Description of the expected value if a required argument or field is missing. */
export const anyValue = 'a value';

/** Describes the fields that are expected in place of an unknown field. */
const expectedField = (type: GraphQLInputType): string => `a field of ${getNamedType(type).name}`;

/** Maximum number of suggestions for one name. */
const maxSuggestions = 3;

/** Maximum length of a name that gets suggestions, in characters. Comparisons take longer for longer names. */
const maxNameLength = 100;

/** Minimum share of words, from 0 to 1, that a suggestion must have in common with the unknown name. */
const minShare = 0.25;

/**
 * Returns the words of a name in lowercase and in the singular, such as `local` and `day` for `localDays` or `LOCAL_DAY`. Ignores words of
 * one or two letters.
 */
function wordsOf(name: string): ReadonlySet<string> {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return new Set(words.filter((word) => word.length > 2).map((word) => word.toLowerCase().replace(/s$/, '')));
}

/** Returns the share of words that two names have in common, from 0 to 1. */
function shareOfCommonWords(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const { size } = first.union(second);
  return size === 0 ? 0 : first.intersection(second).size / size;
}

/** Whether a suggestion is the path of a field in `legacy`. */
const isPath = (name: string): boolean => name.includes('.');

/** Returns the last name in a path, such as `localDay` in `legacy.localDay`. */
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * Returns the names that are similar to an unknown name. Names that begin with it come first. Next come names that share a word with it,
 * such as `utcOffset` for `timeZoneOffset`, and then names with a similar spelling. The best match in `legacy`, if any, is last.
 */
function similarNames(name: string, names: readonly string[]): readonly string[] {
  if (name.length > maxNameLength) return [];
  const prefixMatches = names.filter((candidate) => name.length > 1 && candidate.toLowerCase().startsWith(name.toLowerCase()));
  const spellingMatches = suggestionList(name, names);
  const rank = (candidate: string): number =>
    spellingMatches.includes(candidate) ? spellingMatches.indexOf(candidate) : names.length;
  const words = wordsOf(name);
  const wordMatches = names
    .map((candidate) => ({ candidate, share: shareOfCommonWords(words, wordsOf(lastName(candidate))) }))
    .filter(({ share }) => share >= minShare)
    .toSorted((a, b) => b.share - a.share || rank(a.candidate) - rank(b.candidate))
    .map(({ candidate }) => candidate);
  const matches = [...new Set([...prefixMatches, ...wordMatches, ...spellingMatches])];
  const paths = matches.filter(isPath).slice(0, 1);
  return [...matches.filter((match) => !isPath(match)).slice(0, maxSuggestions - paths.length), ...paths];
}

/**
 * Returns the field names of an input type. Fields that exist only in its `legacy` object are included as paths, such as `legacy.localDay`.
 */
function fieldsOf(type: GraphQLInputObjectType): readonly string[] {
  const fields = type.getFields();
  return Object.values(fields).flatMap((field) => {
    const fieldType = getNamedType(field.type);
    const legacy = isLegacy(field) && isInputObjectType(fieldType) ? Object.keys(fieldType.getFields()) : [];
    return [field.name, ...legacy.filter((name) => !fields[name]).map((name) => `${field.name}.${name}`)];
  });
}

/** Returns the fields of an input type that have names similar to an unknown field. */
function similarFields(type: GraphQLInputType, name: string): readonly string[] {
  const namedType = getNamedType(type);
  return isInputObjectType(namedType) ? similarNames(name, fieldsOf(namedType)) : [];
}

/** Returns the enum values that have names similar to an unknown value. `path` starts at the argument. */
function similarValues(type: GraphQLInputType, value: unknown, path: string): readonly string[] {
  const namedType = getNamedType(type);
  return isEnumType(namedType) && typeof value === 'string' ? similarNames(value, acceptedValues(namedType, path)) : [];
}
