import { replaceAddresses } from './addresses.js';
import type { SensitiveKind } from './sensitive-names.js';

/** Matches pseudonyms of tokens and secrets, such as `redacted-user-1`. */
export const pseudonymPattern = /redacted-(platform|user|key|secret)-\d+/g;

const pseudonymBuilders: Readonly<Record<SensitiveKind, (count: number, value: string) => string>> = {
  platform: (count) => `redacted-platform-${count}`,
  user: (count) => `redacted-user-${count}`,
  key: (count) => `redacted-key-${count}`,
  secret: (count) => `redacted-secret-${count}`,
  email: (count) => `redacted-${count}@redacted.example`,
  phone: (count) => `+1555${String(count).padStart(7, '0')}`,
  name: (count) => `Name${count}`,
  day: (count, value) => `${new Date(Date.UTC(1900, 0, count)).toISOString().slice(0, 10)}${/T/.test(value) ? 'T00:00:00Z' : ''}`,
  network: (count) => `192.0.2.${count % 256}`,
  picture: (count) => `https://redacted.example/${count}.jpg`,
  text: (count) => `redacted ${count}`,
};

const kindsReplacedInTexts: ReadonlySet<SensitiveKind> = new Set<SensitiveKind>([
  'platform',
  'user',
  'key',
  'secret',
  'email',
  'phone',
]);

/** Matches the characters between words. A word can be a token, an email address or a number. */
const separators = /[^\w.+@~-]/g;

/**
 * Replaces the words in a text. Matches the separators instead of the words. If the process has a lot of compiled code, V8 may interpret
 * regular expressions. A pattern for words could then need stack space for each character, and fail on megabytes of text.
 */
function replaceWords(text: string, replacementOf: (word: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: separator, index } of text.matchAll(separators)) {
    pieces.push(replacementOf(text.slice(from, index)), separator);
    from = index + 1;
  }
  pieces.push(replacementOf(text.slice(from)));
  return pieces.join('');
}

/** Matches secret parameters in URL queries. */
const secretParameters = /([?&](?:\w*token|\w*code|\w*key|\w*secret|password)=)([^&#\s"'<>]+)/gi;

/** Assigns pseudonyms to values. The same value always has the same pseudonym. */
export class Pseudonyms {
  readonly #pseudonymsByValue = new Map<string, string>();
  /** Pseudonyms of values that are also replaced inside other texts, keyed by value. */
  readonly #pseudonymsInTexts = new Map<string, string>();
  readonly #counts = new Map<SensitiveKind, number>();

  pseudonymOf(value: string, kind: SensitiveKind): string {
    const key = kind === 'email' ? value.toLowerCase() : value;
    const existing = this.#pseudonymsByValue.get(key) ?? this.#pseudonymsByValue.get(value);
    if (existing !== undefined) return existing;
    // The value is a pseudonym from an earlier recording.
    if (/^redacted[ -]/.test(value)) return value;
    const actualKind = kind === 'platform' && value.startsWith('pk_') ? 'key' : kind;
    const count = (this.#counts.get(actualKind) ?? 0) + 1;
    this.#counts.set(actualKind, count);
    const pseudonym = pseudonymBuilders[actualKind](count, value);
    this.#pseudonymsByValue.set(key, pseudonym);
    if (kindsReplacedInTexts.has(actualKind) && key.length >= 8) this.#pseudonymsInTexts.set(key, pseudonym);
    return pseudonym;
  }

  /** Replaces email addresses, secret URL parameters, and values that already have a pseudonym. */
  redactText(text: string): string {
    const withoutSecrets = text.replace(
      secretParameters,
      (_, name: string, value: string) => name + this.pseudonymOf(value, 'secret'),
    );
    const withoutAddresses = replaceAddresses(withoutSecrets, (address) => this.#redactAddress(address));
    return replaceWords(withoutAddresses, (word) => this.#pseudonymsInTexts.get(word) ?? word);
  }

  #redactAddress(address: string): string {
    const plain = address.replace(/%40/i, '@');
    if (plain.endsWith('@redacted.example')) return address;
    const pseudonym = this.pseudonymOf(plain, 'email');
    return plain === address ? pseudonym : encodeURIComponent(pseudonym);
  }
}
