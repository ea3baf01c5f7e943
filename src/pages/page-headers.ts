import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isSecure, type Trust } from '../gateway/client.js';

/** What the browser must not give to any page of this service. */
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

const oneYear = 31_536_000;

/** What a policy allows beyond nothing, by its directives: `{ 'connect-src': "'self'" }`. */
export type Allowed = Readonly<Record<string, string>>;

/** A Content-Security-Policy: nothing may be loaded, run, sent or framed but what is allowed. */
export const policyOf = (allowed: Allowed = {}): string =>
  Object.entries({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...allowed,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The sources of a policy that allow what stands in elements of that name in a page. */
export const inlineIn = (page: string, element: 'script' | 'style'): string =>
  [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text = '']) => hashOf(text)).join(' ');

/**
 * What browsers are told with every answer but those of `/v1`, which is for programs. Pages allow themselves more. That the service is for
 * HTTPS only is told where its public address says so, or a trusted proxy.
 */
export function pageHeaders(publicUrl: string | null, trust: Trust): RequestHandler {
  const isPublic = publicUrl?.startsWith('https:') === true;
  const usual = helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  const closed = policyOf();
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', closed);
    response.setHeader('Permissions-Policy', permissions);
    if (isPublic || isSecure(request, trust)) response.setHeader('Strict-Transport-Security', `max-age=${oneYear}`);
    usual(request, response, next);
  };
}
