import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RouteUsageSource } from './usage-report.js';
import { AnnouncedEnd, RouteReplacement, RouteUsage } from './usage-values.js';

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** Fields of a called route: its reference, replacements and deprecation. */
@Resolver(() => RouteUsage)
export class RouteUsageFields {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Operation ID of the route in the reference, such as `getDataTeamsUuid`. Null if this release no longer has the route.',
  })
  async operation(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes()).find(route)?.operation ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "Path of the route's entry in the reference, with a fragment. Null if this release no longer has the route.",
  })
  async referencePath(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes()).find(route)?.referencePath ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Path that opens GraphiQL with the replacement query. Null if this release no longer has the route.',
  })
  async graphiqlPath(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<string | null> {
    return (await services.legacyRoutes()).find(route)?.graphiqlPath ?? null;
  }

  @FieldResolver(() => [RouteReplacement], {
    description: 'GraphQL operations that the route runs, and that can replace it.',
  })
  async replacements(@Root() { route }: RouteUsage, @Ctx() { services }: Context): Promise<readonly RouteReplacement[]> {
    return [...((await services.legacyRoutes()).find(route)?.calls ?? [])];
  }

  @FieldResolver(() => AnnouncedEnd, {
    nullable: true,
    description: 'Deprecation of the route for the calling platform, or for all platforms. Null if the route is not deprecated.',
  })
  async end(@Root() { route, platformId }: RouteUsageSource, @Ctx() { services }: Context): Promise<AnnouncedEnd | null> {
    await services.deprecations.refresh();
    const deprecation = services.deprecations.find(route, platformId);
    if (!deprecation) return null;
    const { deprecatedAt, sunsetAt, text, link, rehearsal } = deprecation;
    const path = (await services.legacyRoutes()).find(route)?.referencePath ?? '';
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
