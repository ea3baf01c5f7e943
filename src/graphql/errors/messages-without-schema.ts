import { GraphQLError } from 'graphql';

/** Patterns of graphql-js messages that contain names of the schema, with replacements. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/^(?:Field|Directive) "@?([^"]*)" argument ".*$/, 'A required argument of "$1" is missing.'],
  [/^(Variable "[^"]*") of type .*$/, '$1 is used in a position that expects another type.'],
  [/(cannot be spread here) as objects of type .*$/, '$1.'],
  [/(must not have a selection) since type .*$/, '$1 of subfields.'],
  [/ Did you mean .*$/, ''],
  [/ they return conflicting types "[^"]*" and "[^"]*"/g, ' they return conflicting types'],
  [/ (?:on|of|by) type "[^"]*"/g, ''],
  [/ on field "[^".]*\.([^"]*)"/g, ' on field "$1"'],
];

/** Removes names of the schema from a validation error, except for names that the request contains. */
export const withoutSchemaNames = (error: GraphQLError): GraphQLError =>
  new GraphQLError(
    replacements.reduce((message, [pattern, replacement]) => message.replace(pattern, replacement), error.message),
    error,
  );
