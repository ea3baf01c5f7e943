import { type ASTNode, BREAK, type DocumentNode, GraphQLError, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../kernel/declare/caller.js';
import type { Context } from '../kernel/declare/context.js';
import { badInput, type Details, problem } from '../kernel/declare/errors.js';
import { uniqueErrors } from './unique-errors.js';

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

/** Repeats the validation of a rejected document without suggestions, by the node of its first error. */
const validateAgain = new WeakMap<ASTNode, () => readonly GraphQLError[]>();

const hasSuggestions = ({ extensions }: GraphQLError): boolean =>
  (extensions as Details).problems?.some(({ suggestions }) => suggestions !== undefined) === true;

/** Removes suggested names from an error. */
function withoutSuggestions(error: GraphQLError): GraphQLError {
  const { problems } = error.extensions as Details;
  if (!problems || !hasSuggestions(error)) return error;
  const { message, extensions } = badInput(problems.map(({ field, expected }) => ({ field, expected })));
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...error.extensions, ...extensions } });
}

const isIdentified = ({ platform, key, user }: Caller): boolean => platform !== null || key !== null || user !== null;

/** Hides the schema from callers without a valid token or key. Introspection is refused, and errors have no suggestions. */
export const restrictIntrospection = (
  identify: (header: (name: string) => string | undefined) => Promise<Caller>,
  formatError: (error: GraphQLError) => GraphQLError,
): Plugin<Context> => ({
  onExecute({ args, setResultAndStopExecution }) {
    const { caller } = args.contextValue as Context;
    if (isIdentified(caller) || !isIntrospection(args.document)) return;
    const message = 'introspection requires a token or a publishable key';
    setResultAndStopExecution({ errors: [formatError(problem('UNAUTHENTICATED', message))] });
  },
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document, rules, options, ...others) => {
      const errors = validateFn(schema, document, rules, options, ...others);
      const [node] = errors[0]?.nodes ?? [];
      // The caller is not known yet.
      if (node)
        validateAgain.set(node, () => validateFn(schema, document, rules, { ...options, hideSuggestions: true }, ...others));
      return errors;
    });
  },
  onResultProcess({ request, result, setResult }) {
    if (!('errors' in result) || result.data !== undefined) return undefined;
    const [node] = result.errors?.[0]?.nodes ?? [];
    const repeatValidation = node && validateAgain.get(node);
    if (!repeatValidation && !result.errors?.some(hasSuggestions)) return undefined;
    return identify((name) => request.headers.get(name) ?? undefined)
      .then(isIdentified, () => false)
      .then((isCallerIdentified) => {
        if (isCallerIdentified) return;
        const errors = repeatValidation ? uniqueErrors(repeatValidation().map(formatError)) : (result.errors ?? []);
        setResult({ ...result, errors: errors.map(withoutSuggestions) });
      });
  },
});
