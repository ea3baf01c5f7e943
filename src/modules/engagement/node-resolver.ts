import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, ID, Info, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { Node } from '../../kernel/declare/node.js';
import { allow, anyone } from '../../kernel/declare/policy/policy.js';
import { maxNodeIds, type NodeRow, readNode, readNodes } from '../../kernel/serve/nodes.js';

const accessRules = 'Access rules are the same as for queries by the plain ID';

/** Records of all types by globally unique ID. */
@Resolver()
export class NodeResolver {
  @allow(anyone)
  @Query(() => Node, {
    nullable: true,
    description: `Record of any type with the given \`nodeId\`. Null if not found or not visible to the caller. ${accessRules}. BAD_INPUT: the text is not a valid \`nodeId\`.`,
  })
  node(
    @Arg('id', () => ID, { description: '`nodeId` of the record.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow | null> {
    return readNode(context, id, info);
  }

  @allow(anyone)
  @Extensions({ sizedBy: 'ids', most: maxNodeIds })
  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description: `Records of any type with the given \`nodeId\`s, in the same order. Null for records that are not found or not visible to the caller. ${accessRules}. An error affects only its own record.`,
  })
  nodes(
    @Arg('ids', () => [ID], { description: `\`nodeId\`s of the records, at most ${maxNodeIds}.` }) ids: string[],
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<(NodeRow | Error | null)[]> {
    return readNodes(context, ids, info);
  }
}
