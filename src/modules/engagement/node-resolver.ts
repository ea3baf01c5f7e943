import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, ID, Info, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { Node } from '../../kernel/declare/node.js';
import { allow, anyone } from '../../kernel/declare/policy.js';
import { maxNodes, readNode, readNodes } from '../../kernel/serve/nodes.js';
import type { NodeRow } from '../../kernel/serve/subjects.js';

const seen = 'who may read one of its kind by its plain id may read it here';

/** Records of all kinds by one sort of id. */
@Resolver()
export class NodeResolver {
  @allow(anyone)
  @Query(() => Node, {
    nullable: true,
    description: `The record of any kind with that \`nodeId\`; null where there is none any more, or none that the caller sees. BAD_INPUT for a text that is no \`nodeId\`; ${seen}.`,
  })
  node(
    @Arg('id', () => ID, { description: 'Its `nodeId`.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow | null> {
    return readNode(context, id, info);
  }

  @allow(anyone)
  @Extensions({ sizedBy: 'ids', most: maxNodes })
  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description: `The records of any kinds with these \`nodeId\`s, in their order, null in the place of one that is not there; ${seen}, and a refusal is the answer of that one alone.`,
  })
  nodes(
    @Arg('ids', () => [ID], { description: `Their \`nodeId\`s, at most ${maxNodes}.` }) ids: string[],
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<(NodeRow | Error | null)[]> {
    return readNodes(context, ids, info);
  }
}
