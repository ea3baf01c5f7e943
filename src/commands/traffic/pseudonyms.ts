import { changeAddresses } from './addresses.js';
import type { Sensitive } from './sensitive-names.js';

/** A value that was not written down, as it stands in the file: `redacted-user-1`. */
export const pseudonymForm = /redacted-(platform|user|key|secret)-\d+/g;

const made: Readonly<Record<Sensitive, (count: number, value: string) => string>> = {
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

const findable: ReadonlySet<Sensitive> = new Set<Sensitive>(['platform', 'user', 'key', 'secret', 'email', 'phone']);

/** Letters of tokens, addresses and numbers, which are looked for in any text. A minimum length would cost stack space for each letter. */
const runs = /[\w.+@~-]+/g;

/** Values in the queries of links. */
const inLinks = /([?&](?:\w*token|\w*code|\w*key|\w*secret|password)=)([^&#\s"'<>]+)/gi;

/** Pseudonyms of values: the same for the same value, so that what belongs together still does. */
export class Pseudonyms {
  readonly #known = new Map<string, string>();
  /** Those of which none may stand in any text. */
  readonly #anywhere = new Map<string, string>();
  readonly #counts = new Map<Sensitive, number>();

  of(given: string, kind: Sensitive): string {
    const value = kind === 'email' ? given.toLowerCase() : given;
    const known = this.#known.get(value) ?? this.#known.get(given);
    if (known !== undefined) return known;
    // What was read from such a file has its pseudonym already.
    if (/^redacted[ -]/.test(given)) return given;
    const actual = kind === 'platform' && given.startsWith('pk_') ? 'key' : kind;
    const count = (this.#counts.get(actual) ?? 0) + 1;
    this.#counts.set(actual, count);
    const pseudonym = made[actual](count, given);
    this.#known.set(value, pseudonym);
    if (findable.has(actual) && value.length >= 8) this.#anywhere.set(value, pseudonym);
    return pseudonym;
  }

  /** A text without addresses, and without what is known to be secret. */
  within(text: string): string {
    const withoutSecrets = text.replace(inLinks, (_, name: string, value: string) => name + this.of(value, 'secret'));
    return changeAddresses(withoutSecrets, (address) => this.#ofAddress(address)).replace(
      runs,
      (run) => this.#anywhere.get(run) ?? run,
    );
  }

  #ofAddress(address: string): string {
    const plain = address.replace(/%40/i, '@');
    if (plain.endsWith('@redacted.example')) return address;
    const pseudonym = this.of(plain, 'email');
    return plain === address ? pseudonym : encodeURIComponent(pseudonym);
  }
}
