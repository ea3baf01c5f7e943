import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  NoFragmentCyclesRule,
  parse,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { problem } from '../kernel/declare/errors.js';
import { maxPairs, maxWrittenOut } from './written-out.js';

/** Most bytes of a body, wherever it arrives: one megabyte. */
export const maxBodyBytes: number = 2 ** 20;

/** What one document may ask for, wherever it arrives. */
export const maxTokens = 5_000;
export const maxDepth = 15;
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
    maxAliasesRule({ n: maxAliases, ...aliases }),
    maxDirectivesRule({ n: maxDirectives, ...directives }),
    maxWrittenOut(maxSelections),
  ].map((rule) => rule as ValidationRule);

const limitRules = rulesWith(maxDepth);
/** For the part of an operation that a router asks for by `_entities`: that and the type take two levels, in the place of the root field. */
const limitsOfEntities = rulesWith(maxDepth + 1);

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
  return errors.length ? errors : validate(schema, document, [maxPairs(maxSameKeys)]);
}

/** The limits for Yoga. */
export const limits: Plugin = {
  onParse: ({ setParseFn }) => setParseFn((source, options) => parse(source, { ...options, maxTokens })),
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document, ...others) => {
      const errors = beyondLimits(schema, document);
      return errors.length ? errors : validateFn(schema, document, ...others);
    });
  },
};
