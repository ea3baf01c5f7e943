import type { Context } from '../../../kernel/declare/context.js';

/** Cost of an argon2id hash. */
export interface PasswordCost {
  /** Memory in KiB. */
  readonly memory: number;
  /** Number of passes over the memory. */
  readonly passes: number;
}

/** Minimum cost that OWASP recommends for argon2id. */
export const defaultPasswordCost: PasswordCost = { memory: 19_456, passes: 2 };

export const passwordCostOf = ({ services }: Pick<Context, 'services'>): PasswordCost => services.settings.passwordCost;
