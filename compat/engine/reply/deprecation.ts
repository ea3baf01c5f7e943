import type { OutgoingHttpHeaders } from 'node:http';
import { fail } from '../../../src/kernel/declare/errors.js';

/** Documentation URLs of a route. */
export interface Links {
  readonly reference: string;
  /** URL of GraphiQL with the equivalent GraphQL operation. */
  readonly graphiql: string;
}

/** Announced removal of a route. Times are in milliseconds since the Unix epoch. */
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
  /** Refreshes the announcements if they are outdated. Returns a promise if the request must wait for the refresh, or else null. */
  refresh(now: number): Promise<unknown> | null;
  /** Finds the announcement for a route and a platform. Null if no announcement applies. */
  find(route: string, platformId: string | null): Announcement | null;
}

const routeLinks = ({ reference, graphiql }: Links): string =>
  `<${reference}>; rel="describedby", <${graphiql}>; rel="alternate"; title="GraphQL"`;

/** Returns the headers that all responses of a route have: a `Link` to its documentation. */
export const linkHeaders = (links: Links): OutgoingHttpHeaders => ({ Link: routeLinks(links) });

/** Formats a time as an RFC 9651 date, such as `@1798761600`. */
const dateOf = (milliseconds: number): string => `@${Math.floor(milliseconds / 1000)}`;

/**
 * Returns the headers that announce the removal of a route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Sunset-Rehearsal` until the rehearsal
 * ends.
 */
export function deprecationHeaders(
  { deprecatedAt, sunsetAt, link, rehearsal }: Announcement,
  links: Links | null,
  now: number,
): OutgoingHttpHeaders {
  const successorLink = links ? `, <${links.graphiql}>; rel="successor-version"` : '';
  const deprecationUrl = link ?? links?.reference;
  return {
    Deprecation: dateOf(deprecatedAt),
    ...(sunsetAt === null ? {} : { Sunset: new Date(sunsetAt).toUTCString() }),
    ...(deprecationUrl
      ? { Link: `${links ? `${routeLinks(links)}, ` : ''}<${deprecationUrl}>; rel="deprecation"${successorLink}` }
      : {}),
    ...(rehearsal && now < rehearsal.endsAt
      ? { 'Sunset-Rehearsal': `${dateOf(rehearsal.beginsAt)};until=${dateOf(rehearsal.endsAt)}` }
      : {}),
  };
}

/** Throws a 410 error during a rehearsal. */
export function rejectDuringRehearsal({ rehearsal, text }: Announcement, route: string, now: number): void {
  if (!rehearsal || now < rehearsal.beginsAt || now >= rehearsal.endsAt) return;
  const endTime = new Date(rehearsal.endsAt).toISOString();
  fail('GONE', `${route} is not answered until ${endTime}, to rehearse its end: ${text}`, {
    retryAfter: Math.ceil((rehearsal.endsAt - now) / 1000),
  });
}
