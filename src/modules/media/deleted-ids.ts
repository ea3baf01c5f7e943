import { FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { describeDeletedIds } from '../../kernel/declare/scalars/words.js';
import { Sponsor } from './sponsors/sponsor.js';
import { SponsorImage } from './sponsors/sponsor-image.js';
import { Biography } from './user-content/biography.js';
import { UserImage } from './user-content/user-image.js';

/** IDs of the records that are deleted with an item. */
export interface DeletedWithItem {
  deletedApprovalIds: string[];
  deletedApprovalCommentIds: string[];
}

/** IDs of the records that are deleted with a sponsor. */
export interface DeletedWithSponsor extends DeletedWithItem {
  deletedSponsorImageIds: string[];
  deletedSponsorshipIds: string[];
}

/** IDs of rows. */
export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Fields with the IDs of the approvals and comments that a mutation deletes together with the returned item. */
function deletedWithItem(cls: RecordClass, mutation: string) {
  @Resolver(() => cls)
  class DeletedWithItemFields {
    @FieldResolver(() => [ID], { description: describeDeletedIds('approvals', mutation) })
    deletedApprovalIds(@Root() { deletedApprovalIds = [] }: Partial<DeletedWithItem>): string[] {
      return deletedApprovalIds;
    }

    @FieldResolver(() => [ID], { description: describeDeletedIds('comments', mutation) })
    deletedApprovalCommentIds(@Root() { deletedApprovalCommentIds = [] }: Partial<DeletedWithItem>): string[] {
      return deletedApprovalCommentIds;
    }
  }
  return DeletedWithItemFields;
}

@Resolver(() => Sponsor)
class DeletedWithSponsorFields {
  @FieldResolver(() => [ID], { description: describeDeletedIds('images', 'deleteSponsor') })
  deletedSponsorImageIds(@Root() { deletedSponsorImageIds = [] }: Partial<DeletedWithSponsor>): string[] {
    return deletedSponsorImageIds;
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('sponsorships', 'deleteSponsor') })
  deletedSponsorshipIds(@Root() { deletedSponsorshipIds = [] }: Partial<DeletedWithSponsor>): string[] {
    return deletedSponsorshipIds;
  }
}

export const deletedWithItemFields = [
  deletedWithItem(Sponsor, 'deleteSponsor'),
  deletedWithItem(SponsorImage, 'deleteSponsorImage'),
  deletedWithItem(UserImage, 'deleteUserImage'),
  deletedWithItem(Biography, 'deleteBiography'),
  DeletedWithSponsorFields,
] as const;
