import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { RouteReplacement, RouteUsage } from './usage-values.js';

/** What stands behind a route that was called. */
@Resolver(() => RouteUsage)
export class RouteFields {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'What the reference calls the route, such as `getDataTeamsUuid`; null where this release has it no more.',
  })
  async operation(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes())(route)?.operation ?? null;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Where this service describes the route: a path with a fragment.' })
  async referencePath(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes())(route)?.referencePath ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Where GraphiQL opens with what to call instead: a path with a query.',
  })
  async graphiqlPath(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes())(route)?.graphiqlPath ?? null;
  }

  @FieldResolver(() => [RouteReplacement], { description: 'What to call instead: the GraphQL that the route itself runs.' })
  async replacements(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<readonly RouteReplacement[]> {
    return [...((await services.legacyRoutes())(route)?.calls ?? [])];
  }
}
