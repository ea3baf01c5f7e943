import type { Difference } from '../comparison/differences.js';
import type { Redaction } from '../recording/redact.js';
import { sensitivityOf } from '../recording/sensitive-names.js';

const mask = '•••';

/** Returns a function that masks tokens, and values with a personal or secret name, for reports. */
export function createValueRedactor(redaction: Redaction, tokens: Iterable<string>) {
  const secrets = [...tokens].filter((token) => token.length > 3);
  return (route: string, { path, kind }: Pick<Difference, 'path' | 'kind'>, value: string): string => {
    if (value === '') return kind === 'header' ? 'none' : '';
    if (kind !== 'header' && path.split(/[.[\]]+/).some((name) => name && sensitivityOf(name, route))) return mask;
    const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, mask), value);
    // A value of 200 characters is truncated, possibly within a token. Therefore its last word is removed.
    return redaction.text(value.length < 200 ? redacted : `${redacted.replace(/[\w.+@~-]*$/, '')}…`);
  };
}
