import { maxAliasesPlugin, maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin, maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin, maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import type { ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Most bytes of a body, wherever it arrives: one megabyte. */
export const maxBodyBytes: number = 2 ** 20;

/** What one document may ask for, wherever it arrives. */
const tokens = { n: 5_000 };
const depth = { n: 15, ignoreIntrospection: true };
const aliases = { n: 60 };
const directives = { n: 50 };

/** The limits for Yoga. */
export const limits: Plugin[] = [
  maxTokensPlugin(tokens),
  maxDepthPlugin(depth),
  maxAliasesPlugin(aliases),
  maxDirectivesPlugin(directives),
].map((plugin) => plugin as Plugin);

/** The same limits for Apollo Server. */
export const maxTokens = tokens.n;
export const limitRules: ValidationRule[] = [maxDepthRule(depth), maxAliasesRule(aliases), maxDirectivesRule(directives)].map(
  (rule) => rule as ValidationRule,
);
