import { type ASTNode, BREAK, type DocumentNode, GraphQLError, specifiedRules, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../kernel/declare/context.js';
import { badInput, createError, type Details, withoutSchema } from '../kernel/declare/errors.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { Problems } from '../kernel/declare/problems.js';
import { withoutSchemaNames } from './errors/messages-without-schema.js';
import { uniqueErrors } from './errors/unique-errors.js';

const introspectionByDocument = new WeakMap<DocumentNode, boolean>();

/** Whether a document uses introspection. `__typename` does not count. Cached per document. */
function isIntrospection(document: DocumentNode): boolean {
  let cached = introspectionByDocument.get(document);
  if (cached !== undefined) return cached;
  cached = false;
  visit(document, {
    Field({ name: { value } }) {
      if (value !== '__schema' && value !== '__type') return undefined;
      cached = true;
      return BREAK;
    },
  });
  introspectionByDocument.set(document, cached);
  return cached;
}

/** Functions that validate a rejected document again, with messages without schema names. The key is the node of its first error. */
const revalidations = new WeakMap<ASTNode, () => readonly GraphQLError[]>();

const hasSchemaNames = ({ extensions }: GraphQLError): boolean =>
  (extensions as Details).problems?.some((problem) => problem.suggestions !== undefined || withoutSchema in problem) === true;

/** Removes names of the schema from an error: suggestions, enum values and required fields. */
function hideSchema(error: GraphQLError): GraphQLError {
  if (!hasSchemaNames(error)) return error;
  const problems = new Problems();
  for (const problem of (error.extensions as Details).problems ?? []) {
    const replacement = withoutSchema in problem ? problem[withoutSchema] : problem;
    if (replacement) problems.add(replacement.field, replacement.expected);
  }
  const { message, extensions } = badInput(problems.list);
  const { nodes, source, positions, path } = error;
  const { http } = error.extensions;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, http } });
}

const isIdentified = ({ platform, key, user }: Caller): boolean => platform !== null || key !== null || user !== null;

/** Hides the schema from callers without a valid token or key. Refuses introspection, and removes names from errors that the request does not contain. */
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
      // The caller is identified only after validation.
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
