import { type GraphQLInputObjectType, type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { isLegacy } from '../../kernel/declare/fields/legacy-fields.js';
import { acceptedValues } from './expected-values.js';

/** Maximum number of suggestions for one name. */
const maxSuggestions = 3;

/** Longer names get no suggestions, because the comparison takes time that grows with the length. */
const maxNameLength = 100;

/** Minimum share of common words for a suggestion. */
const minShare = 0.25;

/** Words of a name in the singular, such as `local` and `day` of `localDays` or `LOCAL_DAY`. Words of one or two letters are ignored. */
function wordsOf(name: string): ReadonlySet<string> {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return new Set(words.filter((word) => word.length > 2).map((word) => word.toLowerCase().replace(/s$/, '')));
}

/** Share of the words that two names have in common, from 0 to 1. */
function shareOfCommonWords(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const { size } = first.union(second);
  return size === 0 ? 0 : first.intersection(second).size / size;
}

/** Whether a suggestion is the path of a field in `legacy`. */
const isPath = (name: string): boolean => name.includes('.');

/** The last name of a path, such as `localDay` of `legacy.localDay`. */
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * Names that are similar to an unknown name. Names that begin with it come first, then names with common words, such as `utcOffset`
 * for `timeZoneOffset`, then names with a similar spelling. The best match in `legacy`, if any, is last.
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

/** Fields of an input type. Fields that exist only in its `legacy` object are included by their path. */
function fieldsOf(type: GraphQLInputObjectType): readonly string[] {
  const fields = type.getFields();
  return Object.values(fields).flatMap((field) => {
    const fieldType = getNamedType(field.type);
    const legacy = isLegacy(field) && isInputObjectType(fieldType) ? Object.keys(fieldType.getFields()) : [];
    return [field.name, ...legacy.filter((name) => !fields[name]).map((name) => `${field.name}.${name}`)];
  });
}

/** Fields of an input type with names similar to an unknown field. */
export function similarFields(type: GraphQLInputType, name: string): readonly string[] {
  const namedType = getNamedType(type);
  return isInputObjectType(namedType) ? similarNames(name, fieldsOf(namedType)) : [];
}

/** Enum values with names similar to an unknown value. `path` starts at the argument. */
export function similarValues(type: GraphQLInputType, value: unknown, path: string): readonly string[] {
  const namedType = getNamedType(type);
  return isEnumType(namedType) && typeof value === 'string' ? similarNames(value, acceptedValues(namedType, path)) : [];
}
