/** Whether a text is an origin in the one form in which browsers send it: scheme, host in lower case, and a port unless it is the scheme's own. Hosts with a `*` parse, and match nothing. */
export const isOrigin = (text: unknown): boolean =>
  typeof text === 'string' && /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** `http://localhost:*`: every port of the machine on which somebody develops. Other hosts name their ports. */
export const isAnyLocalPort = (text: unknown): boolean => typeof text === 'string' && /^https?:\/\/localhost:\*$/.test(text);

/** Whether a list of origins lets an origin in. */
export const letsIn = (allowed: readonly string[], origin: string): boolean =>
  allowed.some((one) => one === origin || (isAnyLocalPort(one) && one.slice(0, -2) === origin.replace(/:\d{1,5}$/, '')));
