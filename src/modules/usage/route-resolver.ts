import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { KnownRouteUsage } from './usage-report.js';
import { AnnouncedEnd, RouteReplacement, RouteUsage } from './usage-values.js';

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** What stands behind a route that was called. */
@Resolver(() => RouteUsage)
export class RouteFields {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'What the reference calls the route, such as `getDataTeamsUuid`; null where this release has it no more.',
  })
  async operation(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes()).of(route)?.operation ?? null;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Where this service describes the route: a path with a fragment.' })
  async referencePath(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes()).of(route)?.referencePath ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Where GraphiQL opens with what to call instead: a path with a query.',
  })
  async graphiqlPath(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes()).of(route)?.graphiqlPath ?? null;
  }

  @FieldResolver(() => [RouteReplacement], { description: 'What to call instead: the GraphQL that the route itself runs.' })
  async replacements(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<readonly RouteReplacement[]> {
    return [...((await services.legacyRoutes()).of(route)?.calls ?? [])];
  }

  @FieldResolver(() => AnnouncedEnd, {
    nullable: true,
    description:
      'What its answers announce of its end; null where nothing is announced. To the platform whose calls these are; of the calls of all, what is announced to all.',
  })
  async end(@Root() { route, platformId }: KnownRouteUsage, @Ctx() { services }: Context): Promise<AnnouncedEnd | null> {
    await services.deprecations.refresh();
    const found = services.deprecations.of(route, platformId);
    if (!found) return null;
    const { deprecatedAt, sunsetAt, text, link, rehearsal } = found;
    const path = (await services.legacyRoutes()).of(route)?.referencePath ?? '';
    return {
      deprecatedAt: instant(deprecatedAt),
      sunsetAt: sunsetAt === null ? null : instant(sunsetAt),
      text,
      link: link ?? path,
      rehearsalBeginsAt: rehearsal && instant(rehearsal.beginsAt),
      rehearsalEndsAt: rehearsal && instant(rehearsal.endsAt),
    };
  }
}
