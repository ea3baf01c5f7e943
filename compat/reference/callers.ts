import type { Route } from '../engine/route.js';

const tokens: Readonly<Record<Route['auth'], string>> = {
  platform: 'Platforms, with a platform token in the header `PB-API-TOKEN`.',
  user: 'Signed-in users, with a user token in the header `PB-USER-TOKEN`.',
  either:
    'Platforms, with a platform token in the header `PB-API-TOKEN`, and signed-in users, with a user token in `PB-USER-TOKEN`.',
  anyone: 'Everyone. No token is required.',
};

const audiences = /For: ([^\n]*)$/;

/**
 * Describes the permitted callers of a route. The GraphQL description of its root field contains the permitted users and whether keys are accepted.
 */
export function callersOf({ auth, ownUserParam, rejectsKeys }: Route, description: string): string {
  const [, callers = ''] = audiences.exec(description) ?? [];
  const rules = callers
    .replace(/\.$/, '')
    .split('; ')
    .filter((rule) => /^(users with|super admins|the user)/.test(rule));
  const acceptsKey =
    /publishable key|everybody/.test(callers) && auth !== 'user' && auth !== 'anyone' && !ownUserParam && !rejectsKeys;
  return [
    tokens[auth],
    ownUserParam ? `Users may only use their own ID as \`${ownUserParam}\`.` : '',
    (auth === 'either' || auth === 'user') && rules.length ? `Permitted users: ${rules.join(', ')}.` : '',
    acceptsKey ? 'A publishable key is sufficient.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
