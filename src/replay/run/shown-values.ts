import type { Difference } from '../comparison/differences.js';
import type { Redaction } from '../recording/redact.js';
import { sensitivityOf } from '../recording/sensitive-names.js';

const hidden = '•••';

/** Returns a function that redacts a value for reports: personal and secret values, by their names, and all tokens. */
export function shownValues(redaction: Redaction, tokens: Iterable<string>) {
  const secrets = [...tokens].filter((token) => token.length > 3);
  return (route: string, { path, kind }: Pick<Difference, 'path' | 'kind'>, value: string): string => {
    if (value === '') return kind === 'header' ? 'none' : '';
    if (kind !== 'header' && path.split(/[.[\]]+/).some((name) => name && sensitivityOf(name, route))) return hidden;
    const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, hidden), value);
    // A long value is cut off, possibly within a token. Therefore its last word is removed.
    return redaction.text(value.length < 200 ? redacted : `${redacted.replace(/[\w.+@~-]*$/, '')}…`);
  };
}
