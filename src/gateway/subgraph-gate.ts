import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApolloServerPlugin } from '@apollo/server';
import type { FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import type { Context } from '../kernel/declare/context.js';
import { problem } from '../kernel/declare/errors.js';
import { answeredByStatus } from './answered-by-status.js';

/** Header in which a router proves that it is one. */
export const routerHeader = 'router-secret';

const digest = (text: string) => createHash('sha256').update(text).digest();
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** Names of the root fields of a selection, through its fragments. */
function rootFields(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string[] {
  return set.selections.flatMap((node) => {
    if (node.kind === 'Field') return [node.name.value];
    const inner = node.kind === 'InlineFragment' ? node.selectionSet : fragments.get(node.name.value)?.selectionSet;
    return inner ? rootFields(inner, fragments) : [];
  });
}

/**
 * `_entities` and `_service` are for routers: they need a platform token or the router's secret. So is all the rest where clients may send
 * documents of a manifest only, because a router sends documents of its own.
 */
export const routersOnly = (routerSecret: string | null, everything: boolean): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ document, operation, contextValue: { caller, client } }) => {
      const fragments = new Map(
        document.definitions.flatMap((node) => (node.kind === 'FragmentDefinition' ? [[node.name.value, node]] : [])),
      );
      if (
        !operation ||
        (!everything &&
          !rootFields(operation.selectionSet, fragments).some((name) => name === '_entities' || name === '_service'))
      )
        return;
      const secret = client.header(routerHeader);
      if (caller.platform && !caller.rejected) return;
      if (routerSecret !== null && secret !== undefined && same(secret, routerSecret)) return;
      throw answeredByStatus(
        problem(
          caller.user || caller.key ? 'FORBIDDEN' : 'UNAUTHENTICATED',
          `only for routers: a platform token or the header ${routerHeader}`,
        ),
      );
    },
  }),
});
