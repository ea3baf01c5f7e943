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
import { createError } from '../../kernel/declare/errors.js';
import { withoutTokens } from '../documents/document-cache.js';
import { finiteNumbers, maxExpandedSize, maxPairs, unconditionalRoots } from './validation-rules.js';

/** Maximum size of a request body in bytes (1 MB). */
export const maxBodyBytes: number = 2 ** 20;

/** Limits of one document, for `/graphql` and subgraphs. */
export const maxCharacters = 100_000;
export const maxOperations = 20;
export const maxTokens = 5_000;
export const maxDepth = 15;
/** Maximum depth of introspection, not counting fragments. The standard introspection query has 15 levels. */
export const maxIntrospectionDepth = 20;
/** Maximum number of `__schema` fields. Each field can add more than a megabyte to the response. */
export const maxSchemaSelections = 4;
export const maxAliases = 60;
export const maxDirectives = 50;
/** Maximum number of selections after fragment spreads are expanded. Without fragments, `maxTokens` prevents larger numbers. */
export const maxSelections = 5_000;
/** Maximum number of pairs of fields with the same response key in the same selection. Validation compares these pairs. */
export const maxSameKeyPairs = 50_000;

/**
 * Reports an exceeded limit as a validation error. Takes the number from the rule's own message. If a rule threw an error, Apollo Server
 * would respond with 500.
 */
const reportLimit = (messageFor: (count: string) => string) => ({
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: Error) =>
      context?.reportError(createError('BAD_INPUT', messageFor(/found (\d+)/.exec(message)?.[1] ?? 'too many'))),
  ],
});

const maxDepthOf = (maximum: number): ValidationRule =>
  maxDepthRule({
    n: maximum,
    ignoreIntrospection: true,
    ...reportLimit((count) => `the operation has a depth of ${count}: expected at most ${maximum}`),
  }) as ValidationRule;
const aliases = reportLimit((count) => `the operation has ${count} aliases: expected at most ${maxAliases}`);
const directives = reportLimit((count) => `the operation has ${count} directives: expected at most ${maxDirectives}`);

const rulesForDepth = (maximum: number): ValidationRule[] =>
  [
    NoFragmentCyclesRule,
    maxDepthOf(maximum),
    maxAliasesRule({ n: maxAliases, allowList: [], ...aliases }),
    maxDirectivesRule({ n: maxDirectives, ...directives }),
    maxExpandedSize(maxSelections),
  ].map((rule) => rule as ValidationRule);

const defaultRules = rulesForDepth(maxDepth);
/**
 * Rules for `_entities` requests from routers. They allow one more level, because `_entities` and the type condition replace one root
 * field.
 */
const entityRules = rulesForDepth(maxDepth + 1);

/** Runs only if all other fields are within the depth limit, so that its errors always refer to introspection. */
const introspectionDepth = maxDepthRule({
  n: maxIntrospectionDepth,
  ignoreIntrospection: false,
  flattenFragments: true,
  ...reportLimit((count) => `introspection has a depth of ${count}: expected at most ${maxIntrospectionDepth}`),
}) as ValidationRule;

const maxSchemaFields: ValidationRule = (context) => {
  let count = 0;
  return {
    Field({ name }) {
      if (name.value === '__schema') count++;
    },
    Document: {
      leave() {
        if (count > maxSchemaSelections)
          context.reportError(
            createError('BAD_INPUT', `the document selects __schema ${count} times: expected at most ${maxSchemaSelections}`),
          );
      },
    },
  };
};

/** Returns an error if a text is too long to parse. Null for shorter texts. */
const lengthError = ({ length }: string): GraphQLError | null =>
  length > maxCharacters
    ? createError(
        'BAD_INPUT',
        `the document has ${length} characters: expected at most ${maxCharacters}. Pass long texts as variables`,
      )
    : null;

const operationCountError = ({ definitions }: DocumentNode): GraphQLError | null => {
  const count = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  return count > maxOperations
    ? createError('BAD_INPUT', `the document has ${count} operations: expected at most ${maxOperations}`)
    : null;
};

const hasTooManyTokens = (source: string | Source): boolean => {
  const lexer = new Lexer(typeof source === 'string' ? new Source(source) : source);
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count++) if (count === maxTokens) return true;
  return false;
};

function parseTokens(source: string | Source, options?: ParseOptions): DocumentNode {
  try {
    return parse(source, { ...options, maxTokens });
  } catch (error) {
    // Counts the tokens again, because all parse errors of graphql-js have the same class.
    if (!hasTooManyTokens(source)) throw error;
    throw createError('BAD_INPUT', `the document has too many tokens: expected at most ${maxTokens}`);
  }
}

/** Parses a document. Throws a syntax error or an error for an exceeded limit. */
export function parseWithLimits(source: string | Source, options?: ParseOptions): DocumentNode {
  const lengthProblem = lengthError(typeof source === 'string' ? source : source.body);
  if (lengthProblem) throw lengthProblem;
  const document = parseTokens(source, options);
  const countProblem = operationCountError(document);
  if (countProblem) throw countProblem;
  return withoutTokens(document);
}

const selectsEntities = ({ definitions }: DocumentNode): boolean =>
  definitions.some(
    (node) =>
      node.kind === Kind.OPERATION_DEFINITION &&
      node.selectionSet.selections.some((field) => field.kind === Kind.FIELD && field.name.value === '_entities'),
  );

/**
 * Returns errors for the limits that a document exceeds. Must run before any other validation, because rules that follow fragment spreads
 * take time proportional to the expanded size.
 */
export function limitErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors = validate(schema, document, selectsEntities(document) ? entityRules : defaultRules);
  return errors.length
    ? errors
    : validate(schema, document, [
        maxPairs(maxSameKeyPairs),
        introspectionDepth,
        maxSchemaFields,
        unconditionalRoots,
        finiteNumbers,
      ]);
}

/** Yoga plugin that enforces the document limits. */
export const limitsPlugin: Plugin = {
  onParse: ({ setParseFn }) => setParseFn(parseWithLimits),
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document, ...otherOptions) => {
      const errors = limitErrors(schema, document);
      return errors.length ? errors : validateFn(schema, document, ...otherOptions);
    });
  },
};
