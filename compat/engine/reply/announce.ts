import type { OutgoingHttpHeaders } from 'node:http';
import { fail } from '../../../src/kernel/declare/errors.js';

/** Where people read of a route: addresses of this service. */
export interface Links {
  readonly reference: string;
  /** GraphiQL, with the GraphQL that does the same. */
  readonly graphiql: string;
}

/** What operators announce of the end of a route; times in milliseconds of Unix time. */
export interface Announcement {
  readonly deprecatedAt: number;
  readonly sunsetAt: number | null;
  readonly text: string;
  readonly link: string | null;
  /** A while in which it is gone for a trial. */
  readonly rehearsal: { readonly beginsAt: number; readonly endsAt: number } | null;
}

/** What is announced to whom, as far as a process knows. */
export interface Announcements {
  /** Looks for news now and then; something to wait for where what is known may be out of date. */
  refresh(at: number): Promise<unknown> | null;
  of(route: string, platformId: string | null): Announcement | null;
}

const usual = ({ reference, graphiql }: Links): string =>
  `<${reference}>; rel="describedby", <${graphiql}>; rel="alternate"; title="GraphQL"`;

/** The headers of all answers of a route. */
export const linkHeaders = (links: Links): OutgoingHttpHeaders => ({ Link: usual(links) });

/** A date of RFC 9651: `@1798761600`. */
const dateOf = (milliseconds: number): string => `@${Math.floor(milliseconds / 1000)}`;

/** The headers of one announcement: RFC 9745, RFC 8594, and of a rehearsal what only this service knows. */
function headersFor({ deprecatedAt, sunsetAt, link, rehearsal }: Announcement, links: Links | null) {
  const more = links ? `, <${links.graphiql}>; rel="successor-version"` : '';
  const address = link ?? links?.reference;
  const headers: OutgoingHttpHeaders = {
    Deprecation: dateOf(deprecatedAt),
    ...(sunsetAt === null ? {} : { Sunset: new Date(sunsetAt).toUTCString() }),
    ...(address ? { Link: `${links ? `${usual(links)}, ` : ''}<${address}>; rel="deprecation"${more}` } : {}),
  };
  const until = rehearsal && `${dateOf(rehearsal.beginsAt)};until=${dateOf(rehearsal.endsAt)}`;
  return { headers, rehearsing: until ? { ...headers, 'Sunset-Rehearsal': until } : headers };
}

const made = new WeakMap<Announcement, ReturnType<typeof headersFor>>();

/** The headers of answers that announce the end of their route. */
export function announcing(announcement: Announcement, links: Links | null, now: number): OutgoingHttpHeaders {
  const known = made.get(announcement) ?? headersFor(announcement, links);
  made.set(announcement, known);
  return now < (announcement.rehearsal?.endsAt ?? 0) ? known.rehearsing : known.headers;
}

/** Refuses what is gone for a trial, until the trial is over. */
export function rehearse({ rehearsal, text }: Announcement, route: string, now: number): void {
  if (!rehearsal || now < rehearsal.beginsAt || now >= rehearsal.endsAt) return;
  const until = new Date(rehearsal.endsAt).toISOString();
  fail('GONE', `${route} is not answered until ${until}, to rehearse its end: ${text}`, {
    retryAfter: Math.ceil((rehearsal.endsAt - now) / 1000),
  });
}
