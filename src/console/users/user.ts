import { graphql, type ResultOf } from 'courtside-sdk';

export const UserQuery = graphql(`query ConsoleUser($id: ID!) {
  liveCursor
  user(id: $id) {
    id firstName lastName nameSuffix slug email phone gender dateOfBirth city zip imageUrl isSuperAdmin isCompleted verifiedAt lockedAt lockReason
    erasedAt createdAt createdBy updatedAt updatedBy
    country { id title } state { id title } roles { id title } grantedRoles { id title } viewerCan { administer }
  }
}`);

/** User as shown on the user page. */
export type User = NonNullable<ResultOf<typeof UserQuery>['user']>;

interface Named {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly nameSuffix?: string | null;
}

/** Returns the full name of a user. A user may have no name. */
export const nameOf = ({ firstName, lastName, nameSuffix }: Named): string =>
  [firstName, lastName, nameSuffix].filter(Boolean).join(' ') || 'No name';
