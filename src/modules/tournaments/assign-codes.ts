import { randomInt } from 'node:crypto';
import type { Values } from '../../kernel/declare/fields/options.js';

/** Capital letters and digits without the similar pairs I and 1, O and 0. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const code = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Random codes for a new tournament. They never change (decision 20). */
export const assignCodes = (): Values => ({ code: code(8), refereeCode: code(6) });
