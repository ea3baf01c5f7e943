import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { type IsTrustedProxy, isSecure } from '../graphql/http/client.js';

/** Value of the header `Permissions-Policy`. It denies these browser features to all pages. */
const permissions = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** One year in seconds. */
const oneYear = 31_536_000;

/** Allowed sources, keyed by directive, such as `{ 'connect-src': "'self'" }`. */
export type AllowedSources = Readonly<Record<string, string>>;

/** Prints a Content-Security-Policy that denies everything except the allowed sources. */
export const policyOf = (allowedSources: AllowedSources = {}): string =>
  Object.entries({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...allowedSources,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns the hashes of a page's inline scripts, as sources of a policy. */
export const scriptHashes = (page: string): string =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => hashOf(text)).join(' ');

/**
 * Sets the security headers of all responses except those of `/v1`. Pages override the Content-Security-Policy. Sets
 * `Strict-Transport-Security` if PUBLIC_URL starts with `https:`, or if the request arrived over HTTPS.
 */
export function pageHeaders(publicUrl: string | null, trust: IsTrustedProxy): RequestHandler {
  const hasHttpsUrl = publicUrl?.startsWith('https:') === true;
  const setHeaders = helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  const defaultPolicy = policyOf();
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', defaultPolicy);
    response.setHeader('Permissions-Policy', permissions);
    if (hasHttpsUrl || isSecure(request, trust)) response.setHeader('Strict-Transport-Security', `max-age=${oneYear}`);
    setHeaders(request, response, next);
  };
}
