import type { Values } from '../../../kernel/declare/fields/options.js';

/** Changes that take effect when the user opens a verification link. */
export interface VerificationChanges {
  /** Address that the link was sent to. It becomes the address of the user when the link is opened. */
  address: string;
  /** Address that the user had when the link was sent. If the address has changed since then, the link is invalid. */
  from: string | null;
  /** Whether a platform may have requested the change on behalf of the user. */
  isUnproven?: boolean;
  /** Profile values of a registration. */
  profile?: Values;
  /** Password of a registration. */
  passwordHash?: string;
}

/** Changes that take effect when a one-time value is used, keyed by the purpose of the value. */
export interface PendingChanges {
  verifyEmail: VerificationChanges;
  /** Address that the link was sent to. */
  resetPassword: { email: string };
  resetByCode: null;
  signIn: null;
}

export type ValuePurpose = keyof PendingChanges;
