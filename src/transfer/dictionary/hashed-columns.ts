import { hasKeyPrefix, keyHintOf, tokenHintOf } from '../../modules/accounts/tokens/secrets.js';

/** Columns that contain the SHA-256 of a secret, with the keys of the unhashed secrets in imported files. */
const hashedColumns: Readonly<Record<string, string>> = {
  'platform.token_hash': 'token',
  'platform.previous_token_hash': 'previous_token',
  'publishable_key.key_hash': 'key',
  'user_token.token_hash': 'token',
  'calendar_link.token_hash': 'token',
};

/** Returns the key of the unhashed secret for a column that contains its hash. Null for other columns. */
export const secretKeyOf = (table: string, column: string): string | null => hashedColumns[`${table}.${column}`] ?? null;

/** Minimum length, in characters, of a secret whose first characters are stored. In production, configured tokens have the same minimum. */
export const minHintedLength = 16;

/** Format of an unhashed secret. `expected` is a noun phrase. */
export interface SecretFormat {
  readonly expected: string;
  readonly matches: (secret: string) => boolean;
}

const secretFormats: Readonly<Record<string, SecretFormat>> = {
  'publishable_key.key_hash': {
    expected: `a publishable key of ${minHintedLength} to 1000 characters with the prefix \`pk_\``,
    matches: (key) => hasKeyPrefix(key) && key.length >= minHintedLength,
  },
};

/** Returns the format of the unhashed secret for a column that contains its hash. Null if the secret can be any text. */
export const secretFormatOf = (table: string, column: string): SecretFormat | null => secretFormats[`${table}.${column}`] ?? null;

/** Column with the first characters of a secret, so that people can recognize it. */
export interface HintColumn {
  /** Key of the unhashed secret in imported files. */
  readonly valueKey: string;
  /** Column with the hash of the secret. */
  readonly hashColumn: string;
  readonly hintOf: (secret: string) => string;
}

const hintColumns: Readonly<Record<string, HintColumn>> = {
  'platform.token_hint': { valueKey: 'token', hashColumn: 'token_hash', hintOf: tokenHintOf },
  'publishable_key.hint': { valueKey: 'key', hashColumn: 'key_hash', hintOf: keyHintOf },
};

/** Returns how a column is derived from an unhashed secret. Null for columns that are not derived from a secret. */
export const hintColumnOf = (table: string, column: string): HintColumn | null => hintColumns[`${table}.${column}`] ?? null;

/** Whether a column contains the password hashes of users. */
export const isPasswordHash = (table: string, column: string): boolean => table === 'app_user' && column === 'password_hash';
