import { randomInt } from 'node:crypto';
import type { Values } from '../../kernel/declare/fields/options.js';

/** Capital letters and digits, without the similar characters I, 1, O and 0. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const code = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Sets random codes of a new tournament, which never change (decision 20). */
export const assignCodes = (): Values => ({ code: code(8), refereeCode: code(6) });
