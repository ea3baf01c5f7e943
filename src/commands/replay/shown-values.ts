import type { Difference } from '../../comparison/differences.js';
import type { Redaction } from '../traffic/redact.js';
import { sensitivityOf } from '../traffic/sensitive-names.js';

const hidden = '•••';

/** What may be shown of values that differ: nothing of those whose names say that they are personal or secret, and no token. */
export function shownValues(redaction: Redaction, tokens: Iterable<string>) {
  const secrets = [...tokens].filter((token) => token.length > 3);
  return (route: string, { path, kind }: Pick<Difference, 'path' | 'kind'>, value: string): string => {
    if (value === '') return kind === 'header' ? 'none' : '';
    if (kind !== 'header' && path.split(/[.[\]]+/).some((name) => name && sensitivityOf(name, route))) return hidden;
    const whole = secrets.reduce((text, secret) => text.replaceAll(secret, hidden), value);
    // What was cut may have cut a token.
    return redaction.text(value.length < 200 ? whole : `${whole.replace(/[\w.+@~-]*$/, '')}…`);
  };
}
