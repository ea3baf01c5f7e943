import type { Route } from '../engine/route.js';

const tokens: Readonly<Record<Route['auth'], string>> = {
  platform: 'Platforms, with their token in `PB-API-TOKEN`.',
  user: 'Signed-in users, with their token in `PB-USER-TOKEN`.',
  either: 'Platforms, with their token in `PB-API-TOKEN`, and signed-in users, with theirs in `PB-USER-TOKEN`.',
  anyone: 'Everybody: no token is needed.',
};

const audiences = /For: ([^\n]*)$/;

/** Who may call a route, in a few sentences; the graph says which users, and whether a publishable key is enough. */
export function callersOf({ auth, own, withoutKey }: Route, description: string): string {
  const [, said = ''] = audiences.exec(description) ?? [];
  const rules = said
    .replace(/\.$/, '')
    .split('; ')
    .filter((each) => /^(users with|super admins|the user)/.test(each));
  const opensByKey = /publishable key|everybody/.test(said) && auth !== 'user' && auth !== 'anyone' && !own && !withoutKey;
  return [
    tokens[auth],
    own ? `Users for themselves only: \`${own}\` is their own id.` : '',
    (auth === 'either' || auth === 'user') && rules.length ? `Of users: ${rules.join(', ')}.` : '',
    opensByKey ? 'A publishable key is enough.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
