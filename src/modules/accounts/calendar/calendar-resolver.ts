import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, anyone, user } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { querySelection } from '../../../kernel/read/select.js';
import { CalendarLink } from './calendar-link.js';
import { createLink, isActiveLink, maxActiveLinks, revokeLink } from './calendar-links.js';

@ObjectType({ description: 'New calendar link. Its URL is returned only once.' })
export class NewCalendarLink {
  @Field(() => ID, { description: 'ID of the link, for `revokeCalendarLink`.' })
  id!: string;

  @Field(() => String, {
    description:
      'URL for calendar apps. It returns the games that the user owns, plays in or is on the waiting list for. Anyone with the URL can read these games.',
  })
  url!: string;
}

@Resolver()
export class CalendarResolver {
  @Mutation(() => NewCalendarLink, {
    description: `Creates a URL from which calendar apps read the games of the signed-in user. Existing links stay active. CONFLICT: the user already has ${maxActiveLinks} active links.`,
  })
  @allow(user)
  createCalendarLink(
    @Arg('label', () => String, { nullable: true, description: 'Label, such as the name of a phone. At most 200 characters.' })
    label: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<NewCalendarLink> {
    return createLink(context, label ?? null);
  }

  @Mutation(() => CalendarLink, {
    description: 'Revokes a calendar link of the signed-in user permanently. NOT_FOUND if the user has no link with this ID.',
  })
  @allow(user)
  async revokeCalendarLink(
    @Arg('id', () => ID, { description: 'ID of the link.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<CalendarLink> | null> {
    return context.loaders.loadRow(CalendarLink, querySelection(CalendarLink, info), await revokeLink(context, id));
  }

  @Query(() => Boolean, {
    description: 'Whether a token belongs to an active calendar link of a user.',
  })
  @allow(anyone)
  isCalendarLinkOpen(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Arg('token', () => String, { description: 'Token from the URL of the link.' }) token: string,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return isActiveLink(context, userId, token);
  }
}
