import type { OutgoingHttpHeaders } from 'node:http';
import { fail } from '../../../src/kernel/declare/errors.js';

/** URLs of the documentation of a route. */
export interface Links {
  readonly reference: string;
  /** GraphiQL with the equivalent operation. */
  readonly graphiql: string;
}

/** Announced end of a route. Times are in milliseconds since 1970. */
export interface Announcement {
  readonly deprecatedAt: number;
  readonly sunsetAt: number | null;
  readonly text: string;
  readonly link: string | null;
  /** Period in which the route returns 410 as a rehearsal. */
  readonly rehearsal: { readonly beginsAt: number; readonly endsAt: number } | null;
}

/** Announcements by caller and route. */
export interface Announcements {
  /** Refreshes the announcements periodically. Returns a promise if the caller must wait for fresh data. */
  refresh(now: number): Promise<unknown> | null;
  find(route: string, platformId: string | null): Announcement | null;
}

const routeLinks = ({ reference, graphiql }: Links): string =>
  `<${reference}>; rel="describedby", <${graphiql}>; rel="alternate"; title="GraphQL"`;

/** Headers of all responses of a route. */
export const linkHeaders = (links: Links): OutgoingHttpHeaders => ({ Link: routeLinks(links) });

/** A date in the format of RFC 9651, such as `@1798761600`. */
const dateOf = (milliseconds: number): string => `@${Math.floor(milliseconds / 1000)}`;

/** Headers of an announcement: those of RFC 9745 and RFC 8594, and a custom header for rehearsals. */
function headersFor({ deprecatedAt, sunsetAt, link, rehearsal }: Announcement, links: Links | null) {
  const successorLink = links ? `, <${links.graphiql}>; rel="successor-version"` : '';
  const deprecationUrl = link ?? links?.reference;
  const headers: OutgoingHttpHeaders = {
    Deprecation: dateOf(deprecatedAt),
    ...(sunsetAt === null ? {} : { Sunset: new Date(sunsetAt).toUTCString() }),
    ...(deprecationUrl
      ? { Link: `${links ? `${routeLinks(links)}, ` : ''}<${deprecationUrl}>; rel="deprecation"${successorLink}` }
      : {}),
  };
  const rehearsalPeriod = rehearsal && `${dateOf(rehearsal.beginsAt)};until=${dateOf(rehearsal.endsAt)}`;
  return { headers, rehearsing: rehearsalPeriod ? { ...headers, 'Sunset-Rehearsal': rehearsalPeriod } : headers };
}

const headersCache = new WeakMap<Announcement, ReturnType<typeof headersFor>>();

/** Headers that announce the end of a route. */
export function deprecationHeaders(announcement: Announcement, links: Links | null, now: number): OutgoingHttpHeaders {
  const cachedHeaders = headersCache.get(announcement) ?? headersFor(announcement, links);
  headersCache.set(announcement, cachedHeaders);
  return now < (announcement.rehearsal?.endsAt ?? 0) ? cachedHeaders.rehearsing : cachedHeaders.headers;
}

/** Throws a 410 error during a rehearsal. */
export function rejectDuringRehearsal({ rehearsal, text }: Announcement, route: string, now: number): void {
  if (!rehearsal || now < rehearsal.beginsAt || now >= rehearsal.endsAt) return;
  const endTime = new Date(rehearsal.endsAt).toISOString();
  fail('GONE', `${route} is not answered until ${endTime}, to rehearse its end: ${text}`, {
    retryAfter: Math.ceil((rehearsal.endsAt - now) / 1000),
  });
}
