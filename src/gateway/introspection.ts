import { BREAK, type DocumentNode, GraphQLError, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../kernel/declare/caller.js';
import type { Context } from '../kernel/declare/context.js';
import { problem } from '../kernel/declare/errors.js';

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

const isNamed = ({ platform, key, user }: Caller): boolean => platform !== null || key !== null || user !== null;

/** What graphql-js adds to an error about a name that it does not know, which may be names that it does. */
const suggestion = / Did you mean [^?]*\?$/;

/** An error without names that were not sent. */
const withoutSuggestion = (error: GraphQLError): GraphQLError => new GraphQLError(error.message.replace(suggestion, ''), error);

/**
 * Keeps the schema from those who send no token and no key that is known: introspection is refused to them, and errors do not tell them
 * which name may have been meant. `leaving` is what errors go through that leave. What others send is not looked at.
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
  onResultProcess({ request, result, setResult }) {
    // What was executed names what is in the schema, and guesses at nothing.
    if (!('errors' in result) || result.data !== undefined) return undefined;
    if (!result.errors?.some(({ message }) => suggestion.test(message))) return undefined;
    return identify((name) => request.headers.get(name) ?? undefined)
      .then(isNamed, () => false)
      .then((named) => {
        if (!named) setResult({ ...result, errors: result.errors?.map(withoutSuggestion) });
      });
  },
});
