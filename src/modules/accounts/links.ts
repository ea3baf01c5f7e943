import { type Context, publicUrlOf } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { platformIdOf } from '../../kernel/declare/policy/caller.js';

/** Returns the URL of a link. The URL ends with `value`, a random one-time value. */
export type BuildLink = (value: string) => string;

/** Description of the `customUrl` arguments and fields. */
export const customUrlDescription =
  'URL of the page that the link opens. Its origin must be one of the `allowedOrigins` of the platform. Defaults to a page of this service.';

/** Pages of this service that links open by default, keyed by the purpose of the link. */
const defaultPages = { verifyEmail: 'verify', resetPassword: 'reset' } as const;

/** Throws BAD_INPUT for `field` if the text is not an HTTP or HTTPS URL. */
export function checkUrl(url: string, field: string): void {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) reject(field, 'a URL that starts with https:// or http://');
}

/**
 * Returns a function that builds links to `customUrl` or, by default, to a page of this service. The URL ends with the value (decision 35).
 * Throws BAD_INPUT for `field` if the platform does not allow the origin of `customUrl`.
 */
export async function createLinkBuilder(
  { sql, caller, client, services }: Context,
  page: keyof typeof defaultPages,
  customUrl: string | null | undefined,
  field = 'customUrl',
): Promise<BuildLink> {
  const serviceUrl = publicUrlOf({ client, services });
  if (!customUrl) return (value) => `${serviceUrl}/${defaultPages[page]}/${value}`;
  checkUrl(customUrl, field);
  const { href, origin } = new URL(customUrl);
  const platformId =
    platformIdOf(caller) ?? fail('FORBIDDEN', 'only platforms and their keys can set the page that a link opens');
  const platform = await sql.first(
    sql.db.selectFrom('platform').select('allowed_origins as origins').where('id', '=', platformId),
  );
  if (!platform?.origins.includes(origin)) reject(field, 'a URL of an origin that is allowed for the platform');
  return (value) => `${href}${/[/=?&#]$/.test(href) ? '' : '/'}${value}`;
}
