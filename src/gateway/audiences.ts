import type { GraphQLField } from 'graphql';
import { type Policy, policiesOf } from '../kernel/declare/policy.js';

/** Who a part of the graph is for, the widest first: an audience has what those before it have. */
export const audiences = ['public', 'partner', 'internal'] as const;

export type Audience = (typeof audiences)[number];

export const isAudience = (name: unknown): name is Audience => audiences.some((audience) => audience === name);

/** Whom policies let in, by the names that `@policy` gives them; none for everybody. */
export const rightsOf = (policies: readonly Policy[]): readonly string[] =>
  policies.some(({ rights }) => !rights.length) ? [] : [...new Set(policies.flatMap(({ rights }) => rights))];

/** The widest audience that policies let in: pages, apps and signed-in users are the public, platforms partners. */
function audienceOf(policies: readonly Policy[]): Audience {
  const rights = rightsOf(policies);
  if (!policies.length) return 'internal';
  if (!rights.length || rights.includes('user') || rights.includes('publishable')) return 'public';
  return rights.includes('platform') ? 'partner' : 'internal';
}

/** Whether an audience has what policies guard. */
export const isFor = (audience: Audience, policies: readonly Policy[]): boolean =>
  audiences.indexOf(audienceOf(policies)) <= audiences.indexOf(audience);

/** The directives by which routers know whom a field lets in; none for a field without policies. */
export function* audienceDirectives(
  { extensions }: GraphQLField<unknown, unknown>,
  { policies: isTold }: { policies?: boolean },
): Iterable<string> {
  const policies = policiesOf(extensions);
  if (!policies) return;
  yield `@tag(name: "${audienceOf(policies)}")`;
  const rights = rightsOf(policies);
  if (isTold && rights.length) yield `@policy(policies: ${JSON.stringify(rights.map((right) => [right]))})`;
}
