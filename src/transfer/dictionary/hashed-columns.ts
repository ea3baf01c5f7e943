/** Columns that contain the SHA-256 of a secret. The values are the keys of the unhashed secrets in imported files. */
const hashedColumns: Readonly<Record<string, string>> = {
  'platform.token_hash': 'token',
  'platform.previous_token_hash': 'previous_token',
  'publishable_key.key_hash': 'key',
  'user_token.token_hash': 'token',
  'calendar_link.token_hash': 'token',
};

/** Returns the key of the unhashed secret for a column with its hash. Null for other columns. */
export const hashedColumnOf = (table: string, column: string): string | null => hashedColumns[`${table}.${column}`] ?? null;

/** Column with the password hash of a user. */
export const isPasswordHash = (table: string, column: string): boolean => table === 'app_user' && column === 'password_hash';
