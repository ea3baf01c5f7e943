import { changeAddresses } from './addresses.js';
import type { Sensitive } from './sensitive-names.js';

/** Pattern of pseudonyms of tokens and secrets, such as `redacted-user-1`. */
export const pseudonymForm = /redacted-(platform|user|key|secret)-\d+/g;

const pseudonymBuilders: Readonly<Record<Sensitive, (count: number, value: string) => string>> = {
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

const replacedInTexts: ReadonlySet<Sensitive> = new Set<Sensitive>(['platform', 'user', 'key', 'secret', 'email', 'phone']);

/** Characters between the words of a text that can be tokens, addresses or numbers. */
const separators = /[^\w.+@~-]/g;

/**
 * Replaces the words of a text. A pattern for words could need stack space for each letter, and fail for megabytes of them: V8 compiles it without
 * optimization if the process has much compiled code.
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

/** Secret parameters in the queries of links. */
const secretParameters = /([?&](?:\w*token|\w*code|\w*key|\w*secret|password)=)([^&#\s"'<>]+)/gi;

/** Assigns pseudonyms to values. The same value always has the same pseudonym. */
export class Pseudonyms {
  readonly #byValue = new Map<string, string>();
  /** Pseudonyms of values that are also replaced in other texts. */
  readonly #anywhere = new Map<string, string>();
  readonly #counts = new Map<Sensitive, number>();

  pseudonymOf(value: string, kind: Sensitive): string {
    const key = kind === 'email' ? value.toLowerCase() : value;
    const existing = this.#byValue.get(key) ?? this.#byValue.get(value);
    if (existing !== undefined) return existing;
    // Values of an earlier recording already are pseudonyms.
    if (/^redacted[ -]/.test(value)) return value;
    const actual = kind === 'platform' && value.startsWith('pk_') ? 'key' : kind;
    const count = (this.#counts.get(actual) ?? 0) + 1;
    this.#counts.set(actual, count);
    const pseudonym = pseudonymBuilders[actual](count, value);
    this.#byValue.set(key, pseudonym);
    if (replacedInTexts.has(actual) && key.length >= 8) this.#anywhere.set(key, pseudonym);
    return pseudonym;
  }

  /** Replaces email addresses and known secrets in a text. */
  redactText(text: string): string {
    const withoutSecrets = text.replace(
      secretParameters,
      (_, name: string, value: string) => name + this.pseudonymOf(value, 'secret'),
    );
    const withoutAddresses = changeAddresses(withoutSecrets, (address) => this.#ofAddress(address));
    return replaceWords(withoutAddresses, (word) => this.#anywhere.get(word) ?? word);
  }

  #ofAddress(address: string): string {
    const plain = address.replace(/%40/i, '@');
    if (plain.endsWith('@redacted.example')) return address;
    const pseudonym = this.pseudonymOf(plain, 'email');
    return plain === address ? pseudonym : encodeURIComponent(pseudonym);
  }
}
