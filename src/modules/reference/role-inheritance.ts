import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { needs } from '../../kernel/record.js';
import { columnsWanted } from '../../kernel/select.js';
import { Role } from './role.js';

/** The roles behind the ids that a role inherits. */
@Resolver(() => Role)
export class RoleInheritance {
  @FieldResolver(() => [Role], { description: 'The roles whose permissions it includes, however far they are inherited.' })
  @needs('inheritedIds')
  async inherits(@Root() { inheritedIds }: Role, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    const columns = columnsWanted(Role, info);
    const roles = await Promise.all(inheritedIds.map((id) => loaders.one(Role, columns, id)));
    return roles.filter((role) => role !== null);
  }
}
