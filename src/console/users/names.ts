interface Named {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly nameSuffix?: string | null;
}

/** Returns the full name of a user. Users can have no name. */
export const nameOf = ({ firstName, lastName, nameSuffix }: Named): string =>
  [firstName, lastName, nameSuffix].filter(Boolean).join(' ') || 'No name';
