import type { GraphQLField } from 'graphql';
import { type Policy, policiesOf } from '../../kernel/declare/policy/policy.js';

/** Audiences of the graph, from the widest to the narrowest. An audience also sees everything that wider audiences see. */
export const audiences = ['public', 'partner', 'internal'] as const;

export type Audience = (typeof audiences)[number];

export const isAudience = (name: unknown): name is Audience => audiences.some((audience) => audience === name);

/** Names of the rights of which a caller needs one, as in `@policy`. Empty if all callers are allowed. */
export const rightsOf = (policies: readonly Policy[]): readonly string[] =>
  policies.some(({ policyNames }) => !policyNames.length)
    ? []
    : [...new Set(policies.flatMap(({ policyNames: rights }) => rights))];

/** Widest audience that the policies allow. Publishable keys and signed-in users are `public`, platforms are `partner`. */
function audienceOf(policies: readonly Policy[]): Audience {
  const rights = rightsOf(policies);
  if (!policies.length) return 'internal';
  if (!rights.length || rights.includes('user') || rights.includes('publishable')) return 'public';
  return rights.includes('platform') ? 'partner' : 'internal';
}

/** Whether an audience sees fields with these policies. */
export const isVisibleTo = (audience: Audience, policies: readonly Policy[]): boolean =>
  audiences.indexOf(audienceOf(policies)) <= audiences.indexOf(audience);

/** Directives that tell routers the permitted callers of a field. Empty if the field has no policies. */
export function* audienceDirectives(
  { extensions }: GraphQLField<unknown, unknown>,
  { policies: hasPolicyDirectives }: { policies?: boolean },
): Iterable<string> {
  const policies = policiesOf(extensions);
  if (!policies) return;
  yield `@tag(name: "${audienceOf(policies)}")`;
  const rights = rightsOf(policies);
  if (hasPolicyDirectives && rights.length) yield `@policy(policies: ${JSON.stringify(rights.map((right) => [right]))})`;
}
