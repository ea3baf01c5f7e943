import { type ASTNode, GraphQLError, specifiedRules } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../kernel/declare/context.js';
import { badInputError, createError, type Details, withoutSchema } from '../kernel/declare/errors.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { Problems } from '../kernel/declare/problems.js';
import { fieldDetector } from './documents/field-detector.js';
import { uniqueErrors } from './errors/mask.js';

/** Whether a document uses introspection. `__typename` does not count. */
const isIntrospection = fieldDetector('__schema', '__type');

/**
 * Functions that validate a rejected document again, and return errors without schema names. Keyed by the document node of the first error.
 */
const revalidations = new WeakMap<ASTNode, () => readonly GraphQLError[]>();

const hasSchemaNames = ({ extensions }: GraphQLError): boolean =>
  (extensions as Details).problems?.some((problem) => problem.suggestions !== undefined || withoutSchema in problem) === true;

/** Removes schema names from an error: suggestions, enum values and required fields. */
function hideSchema(error: GraphQLError): GraphQLError {
  if (!hasSchemaNames(error)) return error;
  const problems = new Problems();
  for (const problem of (error.extensions as Details).problems ?? []) {
    const replacement = withoutSchema in problem ? problem[withoutSchema] : problem;
    if (replacement) problems.add(replacement.field, replacement.expected);
  }
  const { message, extensions } = badInputError(problems.list);
  const { nodes, source, positions, path } = error;
  const { http } = error.extensions;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, http } });
}

const isIdentified = ({ platform, key, user }: Caller): boolean => platform !== null || key !== null || user !== null;

/**
 * Hides the schema from callers without a valid token or key. Refuses introspection, and removes schema names from errors, except names
 * that the request contains.
 */
export const restrictIntrospection = (
  identify: (header: (name: string) => string | undefined) => Promise<Caller>,
  formatError: (error: GraphQLError) => GraphQLError,
): Plugin<Context> => ({
  onExecute({ args, setResultAndStopExecution }) {
    const { caller } = args.contextValue as Context;
    if (isIdentified(caller) || !isIntrospection(args.document)) return;
    const message = 'introspection requires a token or a publishable key';
    setResultAndStopExecution({ errors: [formatError(createError('UNAUTHENTICATED', message))] });
  },
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document, rules, options, ...otherOptions) => {
      const errors = validateFn(schema, document, rules, options, ...otherOptions);
      const [node] = errors[0]?.nodes ?? [];
      // Validation runs before the caller is identified. For anonymous callers, the errors are replaced later.
      if (node)
        revalidations.set(node, () =>
          validateFn(schema, document, specifiedRules, { ...options, hideSuggestions: true }, ...otherOptions).map(
            withoutSchemaNames,
          ),
        );
      return errors;
    });
  },
  onResultProcess({ request, result, setResult }) {
    if (!('errors' in result) || result.data !== undefined) return undefined;
    const [node] = result.errors?.[0]?.nodes ?? [];
    const revalidate = node && revalidations.get(node);
    if (!revalidate && !result.errors?.some(hasSchemaNames)) return undefined;
    return identify((name) => request.headers.get(name) ?? undefined)
      .then(isIdentified, () => false)
      .then((isCallerIdentified) => {
        if (isCallerIdentified) return;
        const errors = revalidate ? revalidate().map(formatError) : (result.errors ?? []);
        setResult({ ...result, errors: uniqueErrors(errors.map(hideSchema)) });
      });
  },
});

/** Patterns for graphql-js messages that contain schema names, with their replacements. */
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

/** Removes schema names from a validation error, except names that the request contains. */
const withoutSchemaNames = (error: GraphQLError): GraphQLError =>
  new GraphQLError(
    replacements.reduce((message, [pattern, replacement]) => message.replace(pattern, replacement), error.message),
    error,
  );
