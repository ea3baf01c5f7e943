import { FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { describeDeletedIds } from '../../../kernel/declare/scalars/words.js';
import type { DeletedRows } from './personal-data/erase-person-sql.js';
import { User } from './user.js';

/** Result of `eraseUser`: the IDs of the deleted records. Undefined for other users. */
export interface ErasedUser {
  deletedIds?: DeletedRows;
}

/** Fields with the IDs of the records that `eraseUser` deletes and that clients can read. */
@Resolver(() => User)
export class ErasedUserFields {
  @FieldResolver(() => [ID], { description: describeDeletedIds('images', 'eraseUser') })
  deletedUserImageIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('UserImage') ?? [];
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('biographies', 'eraseUser') })
  deletedBiographyIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Biography') ?? [];
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('comments', 'eraseUser') })
  deletedApprovalCommentIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('ApprovalComment') ?? [];
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('favorites', 'eraseUser') })
  deletedFavoriteIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Favorite') ?? [];
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('reactions', 'eraseUser') })
  deletedReactionIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Reaction') ?? [];
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('notifications', 'eraseUser') })
  deletedNotificationIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Notification') ?? [];
  }

  @FieldResolver(() => [ID], { description: describeDeletedIds('calendar links', 'eraseUser') })
  deletedCalendarLinkIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('CalendarLink') ?? [];
  }
}
