/** Minimum and maximum length of a password in characters. */
export const passwordLength = { min: 8, max: 200 } as const;

export const hasValidPasswordLength = ({ length }: string): boolean =>
  length >= passwordLength.min && length <= passwordLength.max;
