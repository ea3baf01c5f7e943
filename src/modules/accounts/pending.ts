import type { Values } from '../../kernel/declare/options.js';

/** What the opening of a link confirms. */
export interface Confirmation {
  /** The address that it was sent to, which becomes the user's. */
  address: string;
  /** The address that the user had then: the link is void when another one came in between. */
  from: string | null;
  /** A registration: these values and this password become the user's. */
  profile?: Values;
  passwordHash?: string;
}

/** What takes effect when a one-time value is used, by what it opens. */
export interface Pending {
  verifyEmail: Confirmation;
  /** The address that the link was sent to. */
  resetPassword: { email: string };
  resetByCode: null;
  signIn: null;
}

export type Purpose = keyof Pending;
