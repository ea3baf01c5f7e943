import type { z } from 'zod';
import { hasValidPasswordLength, passwordLength } from '../modules/accounts/passwords/password-length.js';
import type { environment } from './environment.js';
import type { DefinedVariables } from './secret-files.js';

type Values = z.output<typeof environment>;

/** Minimum values in production. Tests use smaller values. */
const minimums = [
  ['PASSWORD_HASH_MEMORY', 7168],
  ['ACCOUNT_MIN_DURATION', 250],
] as const;

const minSecretLength = 16;
/**
 * Minimum number of different characters, which excludes repeated characters and patterns. Random secrets of 16 characters contain more
 * different characters.
 */
const minCharacters = 5;

/** Matches the letters of a text that consists only of placeholder words, such as `change-me-please` and `router-secret-1`. */
const placeholder =
  /^(?:change|replace|this|please|your|with|long|random|string|value|secret|password|token|key|example|placeholder|default|demo|dummy|test|todo|insert|here|must|before|production|me|my|xxx|admin|courtside|platform|router|webhook|sms)+$/;

const isPlaceholder = (secret: string): boolean => {
  const letters = secret.toLowerCase().replace(/[^a-z]/g, '');
  return letters.length >= 6 && placeholder.test(letters);
};

const remedy = 'set a random value, such as the output of "openssl rand -hex 24"';

/** Returns the problem of a variable that contains one or more secrets. The problem never contains a secret. */
function secretProblems(name: string, value: string | readonly string[] | undefined): string[] {
  const [subject, secrets] = typeof value === 'object' ? [`Each secret in ${name}`, value] : [name, value ? [value] : []];
  if (secrets.some(({ length }) => length < minSecretLength))
    return [`${subject} must have at least ${minSecretLength} characters in production: ${remedy}.`];
  return secrets.some((secret) => new Set(secret).size < minCharacters || isPlaceholder(secret))
    ? [`${subject} must not be a repeated pattern or a placeholder such as "changeme" in production: ${remedy}.`]
    : [];
}

/** Secrets that give access or sign messages. Passwords have their own rules. */
const secretVariables = ['BOOTSTRAP_PLATFORM_TOKEN', 'SMS_WEBHOOK_SECRET', 'ROUTER_SECRET'] as const;

/** Checks the first webhook key, which encrypts secrets. The other keys only decrypt existing secrets, so they can be weak. */
function webhookKeyProblems(keys: readonly string[]): string[] {
  const problems = secretProblems('WEBHOOK_KEY', keys.slice(0, 1));
  const hasStrongKey = keys.some((key) => secretProblems('WEBHOOK_KEY', key).length === 0);
  if (problems.length === 0 || hasStrongKey) return problems;
  return [
    `WEBHOOK_KEY must start with a random key of at least ${minSecretLength} characters in production: put the output of "openssl rand -hex 24" and a comma before the current value, which is then used only to decrypt.`,
  ];
}

/**
 * Returns the problems of a production configuration. The embedded database and demo data are for development only: demo data has public
 * tokens, and `/dev/mail` shows unsent emails. `configuredVariables` also contains the secrets with an unreadable file.
 */
export function productionProblems(data: Values | undefined, configuredVariables: DefinedVariables): string[] {
  if (data?.NODE_ENV !== 'production') return [];
  const password = data.BOOTSTRAP_ADMIN_PASSWORD;
  return [
    ...(configuredVariables.DATABASE_URL === undefined
      ? [
          'DATABASE_URL must be set in production, where the embedded database is not available: set it to a URL such as postgresql://user:password@host:5432/database.',
        ]
      : []),
    ...(data.DEMO === true
      ? ['DEMO must not be true in production, because the tokens of the demo data are public: unset it.']
      : []),
    ...minimums.flatMap(([name, minimum]) =>
      data[name] < minimum ? [`${name} must be at least ${minimum} in production.`] : [],
    ),
    ...secretVariables.flatMap((name) => secretProblems(name, data[name])),
    ...webhookKeyProblems(data.WEBHOOK_KEY),
    ...(password === undefined || hasValidPasswordLength(password)
      ? []
      : [
          `BOOTSTRAP_ADMIN_PASSWORD must have ${passwordLength.min} to ${passwordLength.max} characters, and be hard to guess: choose another password.`,
        ]),
  ];
}
