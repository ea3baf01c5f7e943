import { platformIdOf } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { ownAddress } from '../../kernel/declare/own-address.js';

/** Makes the link that carries a random value. */
export type LinkTo = (value: string) => string;

const ownPages = { verifyEmail: 'verify', resetPassword: 'reset' } as const;

/** Refuses what is no URL of a page; the message names the field. */
export function checkUrl(url: string, field: string): void {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) reject(field, 'a URL that starts with https:// or http://');
}

/**
 * Where links of a mail lead: to the page that the client named, if its origin is on the platform's list, or to
 * the service's own page, under its public address, else that by which a trusted proxy was reached. The value stands at the end either way (decision 35). `field` is what a refusal names.
 */
export async function linkTo(
  { sql, caller, client, services }: Context,
  page: keyof typeof ownPages,
  customUrl: string | null | undefined,
  field = 'customUrl',
): Promise<LinkTo> {
  const own = ownAddress({ client, services });
  if (!customUrl) return (value) => `${own}/${ownPages[page]}/${value}`;
  checkUrl(customUrl, field);
  const { href, origin } = new URL(customUrl);
  const platformId = platformIdOf(caller) ?? fail('FORBIDDEN', 'only platforms and their keys name the page of a link');
  const platform = await sql.first(
    sql.db.selectFrom('platform').select('allowed_origins as origins').where('id', '=', platformId),
  );
  if (!platform?.origins.includes(origin)) reject(field, 'a URL of an origin that is allowed for the platform');
  return (value) => `${href}${/[/=?&#]$/.test(href) ? '' : '/'}${value}`;
}
