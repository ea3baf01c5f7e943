import { FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { DeletedRows } from './users/personal-data/erase-person-sql.js';
import { User } from './users/user.js';

/** Result of `eraseUser`: the IDs of the deleted records. Undefined for other users. */
export interface ErasedUser {
  deletedIds?: DeletedRows;
}

const description = (records: string): string => `IDs of the ${records} that \`eraseUser\` deleted. Empty otherwise.`;

/** Fields with the IDs of the records that `eraseUser` deletes and that clients can read. */
@Resolver(() => User)
export class ErasedUserFields {
  @FieldResolver(() => [ID], { description: description('images') })
  deletedUserImageIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('UserImage') ?? [];
  }

  @FieldResolver(() => [ID], { description: description('biographies') })
  deletedBiographyIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Biography') ?? [];
  }

  @FieldResolver(() => [ID], { description: description('comments') })
  deletedApprovalCommentIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('ApprovalComment') ?? [];
  }

  @FieldResolver(() => [ID], { description: description('favorites') })
  deletedFavoriteIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Favorite') ?? [];
  }

  @FieldResolver(() => [ID], { description: description('reactions') })
  deletedReactionIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Reaction') ?? [];
  }

  @FieldResolver(() => [ID], { description: description('notifications') })
  deletedNotificationIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('Notification') ?? [];
  }

  @FieldResolver(() => [ID], { description: description('calendar links') })
  deletedCalendarLinkIds(@Root() { deletedIds }: ErasedUser): readonly string[] {
    return deletedIds?.get('CalendarLink') ?? [];
  }
}
