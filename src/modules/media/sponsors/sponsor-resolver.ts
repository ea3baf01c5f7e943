import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, visitor } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { Instant } from '../../../kernel/declare/scalars/scalars.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { inputOf } from '../../../kernel/write/input.js';
import { ApprovalState } from '../approval/approval-status.js';
import { sponsorCreatorPolicy } from '../approval/confirmers.js';
import { deleteSponsor } from '../queue/delete-item.js';
import { addSponsor, createSponsor, updateSponsor } from './save-sponsor.js';
import { createSponsorImage, deleteSponsorImage, updateSponsorImage } from './save-sponsor-image.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { type SponsorSubmission, SponsorSubmissionInput } from './sponsor-submission.js';

/** Sponsors and their images (section 4.3). */
@Resolver()
export class SponsorResolver {
  @Query(() => Sponsor, {
    nullable: true,
    description: 'Sponsor with the given ID. Null if not found or not visible to the caller.',
  })
  @allow(visitor)
  async sponsor(
    @Arg('id', () => ID, { description: 'ID of the sponsor.' }) id: string,
    @Arg('state', () => ApprovalState, {
      nullable: true,
      description: 'Approval state. If set, sponsors in other states count as not found.',
    })
    state: ApprovalState | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor> | null> {
    const sponsor = await context.loaders.loadRow(Sponsor, [...selectedColumns(Sponsor, info), 'approval.state'], id);
    return !state || sponsor?.['approval.state'] === state ? sponsor : null;
  }

  @Mutation(() => Sponsor, {
    description:
      'Creates a sponsor with its images. The roles of the creator determine the number of required approvals: none with ADMIN, one with both CONTENT_CREATOR and CONTENT_CONFIRMER, two with CONTENT_CREATOR only. Without a user token, a platform acts on behalf of the user in the input. If the input contains no user, the platform acts like an admin.',
  })
  @allow(sponsorCreatorPolicy)
  createSponsor(
    @Arg('input', () => SponsorSubmissionInput, { description: 'Fields to set on the sponsor and its images.' })
    input: SponsorSubmission,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return createSponsor(context, input, selectedColumns(Sponsor, info));
  }

  @Mutation(() => Sponsor, {
    description:
      'Updates the given fields of a sponsor and adds or updates images. If the title, URL, description or images of an approved sponsor change, the sponsor needs new approvals, unless changes by this editor need no approval. The editor is the signed-in user, or the owner if a platform sends no user token. NOT_FOUND: unknown ID.',
  })
  @allowWriters(Sponsor)
  updateSponsor(
    @Arg('id', () => ID, { description: 'ID of the sponsor.' }) id: string,
    @Arg('input', () => SponsorSubmissionInput, { description: 'Fields to set on the sponsor and its images.' })
    input: SponsorSubmission,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return updateSponsor(context, id, input, selectedColumns(Sponsor, info));
  }

  @Mutation(() => Sponsor, {
    description: 'Deletes a sponsor with its images. Returns the deleted sponsor. NOT_FOUND: unknown ID.',
  })
  @allowWriters(Sponsor)
  deleteSponsor(
    @Arg('id', () => ID, { description: 'ID of the sponsor.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return deleteSponsor(context, id, selectedColumns(Sponsor, info));
  }

  @Mutation(() => Sponsor, {
    description:
      'Adds a user to a sponsor, or updates an existing sponsorship. Omitted values stay unchanged. The owner of the sponsor stays the same. If the sponsor has no owner, the user becomes the owner. NOT_FOUND: unknown sponsor.',
  })
  @allowWriters(Sponsor)
  addSponsorToUser(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Arg('sponsorId', () => ID, { description: 'ID of the sponsor.' }) sponsorId: string,
    @Arg('startedAt', () => Instant, { nullable: true, description: 'When the sponsorship starts.' }) startedAt:
      | string
      | undefined,
    @Arg('isPrimary', () => Boolean, { nullable: true, description: 'Whether this is the main sponsor of the user.' }) isPrimary:
      | boolean
      | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Sponsor>> {
    return addSponsor(context, sponsorId, userId, { startedAt, isPrimary }, selectedColumns(Sponsor, info));
  }

  @Mutation(() => SponsorImage, {
    description: 'Adds an image to a sponsor. The image needs the same number of approvals as the sponsor.',
  })
  @allowWriters(SponsorImage)
  createSponsorImage(
    @Arg('input', () => inputOf(SponsorImage), { description: 'Fields to set on the image. `sponsorId` is required.' })
    input: object,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>> {
    return createSponsorImage(context, { ...input }, selectedColumns(SponsorImage, info));
  }

  @Mutation(() => SponsorImage, {
    description:
      'Updates the given fields of a sponsor image. If the URL, size or color changes, the image and its sponsor need new approvals, unless changes by this editor need no approval. NOT_FOUND: unknown ID.',
  })
  @allowWriters(SponsorImage)
  updateSponsorImage(
    @Arg('id', () => ID, { description: 'ID of the image.' }) id: string,
    @Arg('input', () => inputOf(SponsorImage), { description: 'Fields to set on the image.' }) input: object,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>> {
    return updateSponsorImage(context, id, { ...input }, selectedColumns(SponsorImage, info));
  }

  @Mutation(() => SponsorImage, {
    description: 'Deletes an image of a sponsor. Returns the deleted image. NOT_FOUND: unknown ID.',
  })
  @allowWriters(SponsorImage)
  deleteSponsorImage(
    @Arg('id', () => ID, { description: 'ID of the image.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>> {
    return deleteSponsorImage(context, id, selectedColumns(SponsorImage, info));
  }
}
