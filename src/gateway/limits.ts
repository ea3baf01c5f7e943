import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import type { Plugin } from 'graphql-yoga';

/** What one document may ask for. The introspection query of GraphiQL is 13 levels deep. */
export const limits: Plugin[] = [
  maxTokensPlugin({ n: 5_000 }) as Plugin,
  maxDepthPlugin({ n: 15, ignoreIntrospection: true }) as Plugin,
  maxAliasesPlugin({ n: 60 }) as Plugin,
  maxDirectivesPlugin({ n: 50 }) as Plugin,
];
