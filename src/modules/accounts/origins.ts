import type { Form } from '../../kernel/declare/meta.js';

/** Whether a text is an origin in the one form in which browsers send it: scheme, host in lower case, and a port unless it is the scheme's own. Hosts with a `*` parse, and match nothing. */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** `http://localhost:*`: every port of the machine on which somebody develops. Other hosts name their ports. */
export const isAnyLocalPort = (text: string): boolean => /^https?:\/\/localhost:\*$/.test(text);

/** The origins to which links of a platform lead: they are compared with them letter by letter. */
export const linkedOrigin: Form = { fits: isOrigin, expected: 'an origin such as https://www.example.com' };

/** The origins of the pages that use a key. */
export const callingOrigin: Form = {
  fits: (text) => isOrigin(text) || isAnyLocalPort(text),
  expected: 'an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
};

/** How lists name an origin: as it is, or with those of all ports of its machine. */
export function formsOf(origin: string): string[] {
  const anyPort = `${origin.replace(/:\d{1,5}$/, '')}:*`;
  return isAnyLocalPort(anyPort) ? [origin, anyPort] : [origin];
}

/** Whether a list of origins lets an origin in. */
export const letsIn = (allowed: readonly string[], origin: string): boolean =>
  formsOf(origin).some((form) => allowed.includes(form));
