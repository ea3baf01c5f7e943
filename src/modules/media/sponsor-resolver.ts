import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { Instant } from '../../kernel/declare/scalars.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { addSponsor } from './add-sponsor.js';
import { ApprovalState } from './approval-state.js';
import { creator } from './confirmers.js';
import { deleteSponsor } from './delete-item.js';
import { createSponsor, updateSponsor } from './save-sponsor.js';
import { createSponsorImage, deleteSponsorImage, updateSponsorImage } from './save-sponsor-image.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { type SponsorSubmission, SponsorSubmissionInput } from './sponsor-submission.js';

/** Sponsors and their images (section 4.3). */
@Resolver()
export class SponsorResolver {
  @Query(() => Sponsor, {
    nullable: true,
    description: 'One sponsor by its id; null when there is none, or none that the caller may see.',
  })
  @allow(visitor)
  async sponsor(
    @Arg('id', () => ID, { description: 'Id of the sponsor.' }) id: string,
    @Arg('state', () => ApprovalState, { nullable: true, description: 'Only when it is in this state.' })
    state: ApprovalState | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor> | null> {
    const sponsor = await context.loaders.one(Sponsor, [...columnsWanted(Sponsor, info), 'approval.state'], id);
    return !state || sponsor?.['approval.state'] === state ? sponsor : null;
  }

  @Mutation(() => Sponsor, {
    description:
      "Makes a sponsor with its images. Its maker's roles tell how many approvals it needs: ADMIN none, CONTENT_CREATOR with CONTENT_CONFIRMER one, CONTENT_CREATOR two. A platform acts for the user whom it names, else as an admin.",
  })
  @allow(creator)
  createSponsor(
    @Arg('input', () => SponsorSubmissionInput, { description: 'Its values.' }) input: SponsorSubmission,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return createSponsor(context, input, columnsWanted(Sponsor, info));
  }

  @Mutation(() => Sponsor, {
    description:
      'Changes the fields given of a sponsor, and adds or changes images. When title, url, description or images of an approved one become others it needs approvals again, unless who changes it needs none: the roles of the user decide, or for a platform alone those of the user whose the sponsor is. NOT_FOUND for an unknown id.',
  })
  @writes(Sponsor)
  updateSponsor(
    @Arg('id', () => ID, { description: 'Id of the sponsor.' }) id: string,
    @Arg('input', () => SponsorSubmissionInput, { description: 'Its values.' }) input: SponsorSubmission,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return updateSponsor(context, id, input, columnsWanted(Sponsor, info));
  }

  @Mutation(() => Sponsor, {
    description: 'Deletes a sponsor with its images and returns it as it was; NOT_FOUND for an unknown id.',
  })
  @writes(Sponsor)
  deleteSponsor(
    @Arg('id', () => ID, { description: 'Id of the sponsor.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return deleteSponsor(context, id, columnsWanted(Sponsor, info));
  }

  @Mutation(() => Sponsor, {
    description:
      "Adds a user to those of a sponsor, or changes the terms of one who is there; what is left out stays. Whose the sponsor is stays, too, unless it is nobody's. NOT_FOUND for an unknown sponsor.",
  })
  @writes(Sponsor)
  addSponsorToUser(
    @Arg('userId', () => ID, { description: 'Id of the user.' }) userId: string,
    @Arg('sponsorId', () => ID, { description: 'Id of the sponsor.' }) sponsorId: string,
    @Arg('startedAt', () => Instant, { nullable: true, description: 'When the sponsorship starts.' }) startedAt:
      | string
      | undefined,
    @Arg('isPrimary', () => Boolean, { nullable: true, description: "It is the user's main sponsor." }) isPrimary:
      | boolean
      | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return addSponsor(context, sponsorId, userId, { startedAt, isPrimary }, columnsWanted(Sponsor, info));
  }

  @Mutation(() => SponsorImage, { description: 'Adds an image to a sponsor; it needs as many approvals as the sponsor.' })
  @writes(SponsorImage)
  createSponsorImage(
    @Arg('input', () => inputOf(SponsorImage), { description: 'Its values; `sponsorId` must be there.' }) input: object,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>> {
    return createSponsorImage(context, { ...input }, columnsWanted(SponsorImage, info));
  }

  @Mutation(() => SponsorImage, {
    description:
      'Changes the fields given of an image of a sponsor. With another url, size or color the image and its sponsor need approvals again, unless who changes it needs none; NOT_FOUND for an unknown id.',
  })
  @writes(SponsorImage)
  updateSponsorImage(
    @Arg('id', () => ID, { description: 'Id of the image.' }) id: string,
    @Arg('input', () => inputOf(SponsorImage), { description: 'Its values.' }) input: object,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>> {
    return updateSponsorImage(context, id, { ...input }, columnsWanted(SponsorImage, info));
  }

  @Mutation(() => SponsorImage, {
    description: 'Deletes an image of a sponsor and returns it as it was; NOT_FOUND for an unknown id.',
  })
  @writes(SponsorImage)
  deleteSponsorImage(
    @Arg('id', () => ID, { description: 'Id of the image.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>> {
    return deleteSponsorImage(context, id, columnsWanted(SponsorImage, info));
  }
}
