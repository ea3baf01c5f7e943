import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, anyone, user } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { selected } from '../../kernel/read/select.js';
import { CalendarLink } from './calendar-link.js';
import { createLink, isLink, mostLinks, revokeLink } from './calendar-links.js';

@ObjectType({ description: 'A calendar link and its address, which is shown this once.' })
export class NewCalendarLink {
  @Field(() => ID, { description: 'Id of the link: `revokeCalendarLink` takes it.' })
  id!: string;

  @Field(() => String, {
    description:
      'Address for calendar apps: the games in which the user plays or waits for a place, and those of their own. Whoever has it reads them, and nothing else.',
  })
  url!: string;
}

@Resolver()
export class CalendarResolver {
  @Mutation(() => NewCalendarLink, {
    description: `Makes an address from which a calendar app reads the games of the signed-in user, beside those there are. CONFLICT where ${mostLinks} are open already.`,
  })
  @allow(user)
  createCalendarLink(
    @Arg('label', () => String, { nullable: true, description: 'What it is for, such as the name of a phone.' })
    label: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<NewCalendarLink> {
    return createLink(context, label ?? null);
  }

  @Mutation(() => CalendarLink, {
    description: 'Revokes a calendar link of the signed-in user, for good; NOT_FOUND for those of others.',
  })
  @allow(user)
  async revokeCalendarLink(
    @Arg('id', () => ID, { description: 'Id of the link.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<CalendarLink> | null> {
    return context.loaders.one(CalendarLink, selected(CalendarLink, info), await revokeLink(context, id));
  }

  @Query(() => Boolean, {
    description: 'True when the token of a calendar link opens the games of a user. Nothing else can be done with it.',
  })
  @allow(anyone)
  isCalendarLinkOpen(
    @Arg('userId', () => ID, { description: 'Id of the user whose games they are.' }) userId: string,
    @Arg('token', () => String, { description: 'The token in the address of the link.' }) token: string,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return isLink(context, userId, token);
  }
}
