import { randomInt } from 'node:crypto';
import type { Values } from '../../kernel/declare/fields/options.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { Row } from '../../kernel/session.js';

/** Capital letters and digits, without the easily confused characters I, 1, O and 0. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const code = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Returns random codes for a new tournament. The codes never change (decision 20). */
export const newTournamentCodes = (): Values => ({ code: code(8), refereeCode: code(6) });

/** Whether the caller can see the referee codes of tournaments. True for platforms, referees, admins and super admins. */
export const seesRefereeCode = (_: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || ['REFEREE', 'ADMIN'].some((role) => user?.roles.has(role));
