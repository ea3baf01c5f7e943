import type { ApprovalItem } from './documents.ts';

/** Titles of item types, keyed by their name in GraphQL arguments. */
export const kindTitles = {
  SPONSOR: 'Sponsor',
  SPONSOR_IMAGE: 'Sponsor image',
  USER_IMAGE: 'Image',
  BIOGRAPHY: 'Biography',
} as const;

export type Kind = keyof typeof kindTitles;

const kindsByType: Readonly<Record<ApprovalItem['__typename'], Kind>> = {
  Sponsor: 'SPONSOR',
  SponsorImage: 'SPONSOR_IMAGE',
  UserImage: 'USER_IMAGE',
  Biography: 'BIOGRAPHY',
};

export const kindOf = ({ __typename }: ApprovalItem): Kind => kindsByType[__typename];

/** Whether items of this kind can be declined. */
export const canBeDeclined = (kind: Kind): boolean => kind === 'USER_IMAGE' || kind === 'BIOGRAPHY';

/** Titles of the types of user images. */
export const imageTypeTitles = {
  PROFILE: 'Profile image',
  COVER: 'Cover image',
  FEATURED: 'Featured image',
  ACTION: 'Action image',
} as const;

interface Name {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export const nameOf = (person: Name | null | undefined): string =>
  [person?.firstName, person?.lastName].filter(Boolean).join(' ') || 'Unknown user';

/** Returns the user who owns an item. Null if the user or the sponsor was deleted. */
export const ownerOf = (item: ApprovalItem) => (item.__typename === 'SponsorImage' ? item.sponsor?.user : item.user) ?? null;

/** Returns the title of an item, such as "Profile image of Maya Renner". */
export function titleOf(item: ApprovalItem): string {
  switch (item.__typename) {
    case 'Sponsor':
      return `Sponsor ${item.title ?? 'without a name'}`;
    case 'SponsorImage':
      return `Image of ${item.sponsor?.title ?? 'a deleted sponsor'}`;
    case 'UserImage':
      return `${imageTypeTitles[item.type]} of ${nameOf(item.user)}`;
    case 'Biography':
      return `Biography of ${nameOf(item.user)}`;
  }
}

/** Returns the kind of an item, and its owner if the title does not name the owner, such as "Sponsor of Maya Renner". */
export const subtitleOf = (item: ApprovalItem): string => {
  const kind = kindTitles[kindOf(item)];
  return item.__typename === 'Sponsor' || item.__typename === 'SponsorImage' ? `${kind} of ${nameOf(ownerOf(item))}` : kind;
};

/** Returns how many approvals an item has, such as "1 of 2 approvals". */
export const progressOf = ({ approval: { given, required } }: ApprovalItem): string =>
  `${given} of ${required} ${required === 1 ? 'approval' : 'approvals'}`;

/**
 * Returns the time at which an item was submitted, as reported by its source, or else the time at which it was created here. Lists are
 * ordered by this time.
 */
export const submittedAt = (item: ApprovalItem): string =>
  ('reported' in item ? item.reported.createdAt : null) ?? item.createdAt;
