import type { OutgoingHttpHeaders } from 'node:http';
import { fail } from '../../../src/kernel/declare/errors.js';

/** URLs of the documentation of a route. */
export interface Links {
  readonly reference: string;
  /** GraphiQL with the equivalent operation. */
  readonly graphiql: string;
}

/** Announced removal of a route. Times are in milliseconds since 1970. */
export interface Announcement {
  readonly deprecatedAt: number;
  readonly sunsetAt: number | null;
  readonly text: string;
  readonly link: string | null;
  /** Period in which the route returns 410, to rehearse its removal. */
  readonly rehearsal: { readonly beginsAt: number; readonly endsAt: number } | null;
}

/** Announced removals of routes. */
export interface Announcements {
  /** Refreshes the announcements if they are outdated. Returns a promise if the request must wait for them. */
  refresh(now: number): Promise<unknown> | null;
  /** Finds the announcement of a route for a platform. Null without one. */
  find(route: string, platformId: string | null): Announcement | null;
}

const routeLinks = ({ reference, graphiql }: Links): string =>
  `<${reference}>; rel="describedby", <${graphiql}>; rel="alternate"; title="GraphQL"`;

/** Returns the headers of all responses of a route. */
export const linkHeaders = (links: Links): OutgoingHttpHeaders => ({ Link: routeLinks(links) });

/** Formats a time as a date of RFC 9651, such as `@1798761600`. */
const dateOf = (milliseconds: number): string => `@${Math.floor(milliseconds / 1000)}`;

/** Returns the headers of an announcement: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), and `Sunset-Rehearsal` during a rehearsal. */
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

/** Returns the headers that announce the removal of a route. */
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
