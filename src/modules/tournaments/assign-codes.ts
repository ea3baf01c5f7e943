import { randomInt } from 'node:crypto';
import type { Values } from '../../kernel/declare/options.js';

/** Letters and digits that are not taken for one another when read aloud or by hand. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const code = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** The codes that a new tournament gets: unique, and stable from then on (decision 20). */
export const assignCodes = (): Values => ({ code: code(8), refereeCode: code(6) });
