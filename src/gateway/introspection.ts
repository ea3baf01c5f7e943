import { type ASTNode, BREAK, type DocumentNode, GraphQLError, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../kernel/declare/caller.js';
import type { Context } from '../kernel/declare/context.js';
import { badInput, type Details, problem } from '../kernel/declare/errors.js';
import { once } from './tell-once.js';

const known = new WeakMap<DocumentNode, boolean>();

/** Whether a document asks what the schema is; `__typename` does not. Looked for once in each document. */
function introspects(document: DocumentNode): boolean {
  let found = known.get(document);
  if (found !== undefined) return found;
  found = false;
  visit(document, {
    Field({ name: { value } }) {
      if (value !== '__schema' && value !== '__type') return undefined;
      found = true;
      return BREAK;
    },
  });
  known.set(document, found);
  return found;
}

/** How a document that was refused is looked at again without suggestions, by where its first error is. */
const refused = new WeakMap<ASTNode, () => readonly GraphQLError[]>();

const hasSuggestions = ({ extensions }: GraphQLError): boolean =>
  (extensions as Details).problems?.some(({ suggestions }) => suggestions !== undefined) === true;

/** The same error without suggestions of names. */
function withoutSuggestions(error: GraphQLError): GraphQLError {
  const { problems } = error.extensions as Details;
  if (!problems || !hasSuggestions(error)) return error;
  const { message, extensions } = badInput(problems.map(({ field, expected }) => ({ field, expected })));
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...error.extensions, ...extensions } });
}

const isNamed = ({ platform, key, user }: Caller): boolean => platform !== null || key !== null || user !== null;

/**
 * Keeps the schema from those who send no token and no key that is known: introspection is refused to them, and errors do not tell them
 * which name may have been meant. `leaving` is what errors go through that leave.
 */
export const forNamedCallers = (
  identify: (header: (name: string) => string | undefined) => Promise<Caller>,
  leaving: (error: GraphQLError) => GraphQLError,
): Plugin<Context> => ({
  onExecute({ args, setResultAndStopExecution }) {
    const { caller } = args.contextValue as Context;
    if (isNamed(caller) || !introspects(args.document)) return;
    const message = 'introspection is for callers with a token or a publishable key';
    setResultAndStopExecution({ errors: [leaving(problem('UNAUTHENTICATED', message))] });
  },
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document, rules, options, ...others) => {
      const errors = validateFn(schema, document, rules, options, ...others);
      const [node] = errors[0]?.nodes ?? [];
      // Who asks is known only later.
      if (node) refused.set(node, () => validateFn(schema, document, rules, { ...options, hideSuggestions: true }, ...others));
      return errors;
    });
  },
  onResultProcess({ request, result, setResult }) {
    if (!('errors' in result) || result.data !== undefined) return undefined;
    const [node] = result.errors?.[0]?.nodes ?? [];
    const again = node && refused.get(node);
    if (!again && !result.errors?.some(hasSuggestions)) return undefined;
    return identify((name) => request.headers.get(name) ?? undefined)
      .then(isNamed, () => false)
      .then((named) => {
        if (named) return;
        const errors = again ? once(again().map(leaving)) : (result.errors ?? []);
        setResult({ ...result, errors: errors.map(withoutSuggestions) });
      });
  },
});
