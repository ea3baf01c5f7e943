import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  Lexer,
  NoFragmentCyclesRule,
  type ParseOptions,
  parse,
  Source,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { problem } from '../kernel/declare/errors.js';
import { withoutTokens } from './documents/without-tokens.js';
import { finiteNumbers } from './finite-numbers.js';
import { wholeRoots } from './live/subscription-roots.js';
import { maxPairs, maxWrittenOut } from './written-out.js';

/** Most bytes of a body, wherever it arrives: one megabyte. */
export const maxBodyBytes: number = 2 ** 20;

/** What one document may have and ask for, wherever it arrives. */
export const maxCharacters = 100_000;
export const maxOperations = 20;
export const maxTokens = 5_000;
export const maxDepth = 15;
/** Of what a schema tells of itself, fragments not counted: the standard query of tools goes 15 levels deep, and 5 more are let pass. */
export const maxIntrospectionDepth = 20;
/** A whole schema is more than a megabyte of answer each time. */
export const maxSchemas = 4;
export const maxAliases = 60;
export const maxDirectives = 50;
/** As many as a document of so many tokens could have without fragments. */
export const maxSelections = 5_000;
export const maxSameKeys = 50_000;

/** Reports it as what else is wrong with a document: Apollo Server answers 500 to what a rule throws. The rule's own words have the figure. */
const refusing = (told: (found: string) => string) => ({
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: Error) =>
      context?.reportError(problem('BAD_INPUT', told(/found (\d+)/.exec(message)?.[1] ?? 'too many'))),
  ],
});

const depthTo = (most: number): ValidationRule =>
  maxDepthRule({
    n: most,
    ignoreIntrospection: true,
    ...refusing((found) => `the operation has a depth of ${found}: expected at most ${most}`),
  }) as ValidationRule;
const aliases = refusing((found) => `the operation has ${found} aliases: expected at most ${maxAliases}`);
const directives = refusing((found) => `the operation has ${found} directives: expected at most ${maxDirectives}`);

const rulesWith = (most: number): ValidationRule[] =>
  [
    NoFragmentCyclesRule,
    depthTo(most),
    maxAliasesRule({ n: maxAliases, allowList: [], ...aliases }),
    maxDirectivesRule({ n: maxDirectives, ...directives }),
    maxWrittenOut(maxSelections),
  ].map((rule) => rule as ValidationRule);

const limitRules = rulesWith(maxDepth);
/** For the part of an operation that a router asks for by `_entities`: that and the type take two levels, in the place of the root field. */
const limitsOfEntities = rulesWith(maxDepth + 1);

/** Asked of documents whose other fields are not that deep, so that it is introspection which is too deep. */
const introspectionDepth = maxDepthRule({
  n: maxIntrospectionDepth,
  ignoreIntrospection: false,
  flattenFragments: true,
  ...refusing((found) => `introspection has a depth of ${found}: expected at most ${maxIntrospectionDepth}`),
}) as ValidationRule;

const schemas: ValidationRule = (context) => {
  let count = 0;
  return {
    Field({ name }) {
      if (name.value === '__schema') count++;
    },
    Document: {
      leave() {
        if (count > maxSchemas)
          context.reportError(
            problem('BAD_INPUT', `the document asks for __schema ${count} times: expected at most ${maxSchemas}`),
          );
      },
    },
  };
};

/** Why a text is too long to be parsed, or null. */
const tooLong = ({ length }: string): GraphQLError | null =>
  length > maxCharacters
    ? problem(
        'BAD_INPUT',
        `the document has ${length} characters: expected at most ${maxCharacters}, long texts go into variables`,
      )
    : null;

const tooManyOperations = ({ definitions }: DocumentNode): GraphQLError | null => {
  const count = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  return count > maxOperations
    ? problem('BAD_INPUT', `the document has ${count} operations: expected at most ${maxOperations}`)
    : null;
};

const tooManyTokens = (source: string | Source): boolean => {
  const lexer = new Lexer(typeof source === 'string' ? new Source(source) : source);
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count++) if (count === maxTokens) return true;
  return false;
};

function parseTokens(source: string | Source, options?: ParseOptions): DocumentNode {
  try {
    return parse(source, { ...options, maxTokens });
  } catch (error) {
    // graphql-js has one kind of error for all that it cannot parse, and its lexer throws the same one again.
    if (!tooManyTokens(source)) throw error;
    throw problem('BAD_INPUT', `the document has more than ${maxTokens} tokens: expected at most ${maxTokens}`);
  }
}

/** Parses a document; throws what is wrong with it, or why there is too much of it to be looked at any further. */
export function parseWithin(source: string | Source, options?: ParseOptions): DocumentNode {
  const long = tooLong(typeof source === 'string' ? source : source.body);
  if (long) throw long;
  const document = parseTokens(source, options);
  const many = tooManyOperations(document);
  if (many) throw many;
  return withoutTokens(document);
}

const asksForEntities = ({ definitions }: DocumentNode): boolean =>
  definitions.some(
    (node) =>
      node.kind === Kind.OPERATION_DEFINITION &&
      node.selectionSet.selections.some((field) => field.kind === Kind.FIELD && field.name.value === '_entities'),
  );

/**
 * Why a document is too much, of both servers. Asked before anything else walks it, the rules of graphql-js among that, because what follows
 * spreads of fragments takes as long as these are when they are written out.
 */
export function beyondLimits(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors = validate(schema, document, asksForEntities(document) ? limitsOfEntities : limitRules);
  return errors.length
    ? errors
    : validate(schema, document, [maxPairs(maxSameKeys), introspectionDepth, schemas, wholeRoots, finiteNumbers]);
}

/** The limits for Yoga. */
export const limits: Plugin = {
  onParse: ({ setParseFn }) => setParseFn(parseWithin),
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document, ...others) => {
      const errors = beyondLimits(schema, document);
      return errors.length ? errors : validateFn(schema, document, ...others);
    });
  },
};
