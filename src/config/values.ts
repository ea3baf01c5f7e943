import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';
import { z } from 'zod';
import { hostProblem, withHostsParameter } from '../kernel/primary-host.js';
import { parseQuotas, type Quotas } from '../modules/accounts/limits/limit-rules.js';
import { keyOrigin } from '../modules/accounts/platforms/origins.js';

export const integerText = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

export const fraction = z
  .string()
  .refine((text) => /^\d?\.?\d{1,9}$/.test(text) && Number(text) <= 1, 'must be a number from 0 to 1, such as 0.01')
  .transform(Number);

export const oneOf = <const T extends readonly string[]>(...values: T) => z.enum(values, `must be one of: ${values.join(', ')}`);

/** Value of `NODE_ENV`, in any letter case. */
export const mode = z
  .string()
  .transform((text) => (text.toLowerCase() === 'prod' ? 'production' : text.toLowerCase()))
  .pipe(oneOf('development', 'test', 'production'));

export const booleanText = (trueText: string, falseText: string) =>
  oneOf(trueText, falseText).transform((text) => text === trueText);

/** Matches a URL with one host and a port. URLs with an unencoded `/`, `?` or `#` in the password do not match. */
const urlWithPort = /^[a-z]+:\/\/(?:[^/?#]*@)?(?:[^/?#:@,[\]]+|\[[^\]]*\]):([^/?#@,]+)(?:[/?#][^@]*)?$/;

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/** Whether the port of a URL is invalid. The URL parser accepts 0. */
const hasInvalidPort = (text: string): boolean => !isPort(urlWithPort.exec(text)?.[1] ?? '1');

/** Whether the percent-encoding of a text is valid. */
const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** Whether a URL is valid. The URL parser accepts invalid percent-encoding in the user, the password and, for SMTP, the host. */
function isUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isDecodable(`${url.username}:${url.password}@${url.hostname}`);
}

const portProblem = 'must have a port from 1 to 65535';

export const url = (...schemes: string[]) =>
  z
    .string()
    .regex(new RegExp(`^(${schemes.join('|')})://[^\\s/]`), {
      error: `must be a URL that starts with ${schemes.join(':// or ')}://`,
      abort: true,
    })
    .refine((text) => !/\s/.test(text), { error: 'must not contain spaces', abort: true })
    .refine((text) => !hasInvalidPort(text), { error: portProblem, abort: true })
    .refine(isUrl, 'must be a valid URL, with special characters percent-encoded');

/** URL to which the service appends paths. */
export const baseUrl = (...schemes: string[]) =>
  url(...schemes).refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment, because paths are appended to it');

/** Publishable key of a platform. */
export const keyText = z.string().regex(/^pk_[!-~]+$/, 'must be a publishable key, which starts with pk_');

/** Text without surrounding spaces, such as a name or a path. */
export const textWithoutOuterSpaces = z.string().refine((text) => text === text.trim(), 'must not start or end with spaces');

/** Returns the query parameter `port` of a connection string. The parameter overrides the port in the authority. */
const portParameter = (text: string): string => URL.parse(text)?.searchParams.get('port') ?? '1';

/**
 * Replaces the SSL modes that pg treats like `verify-full` with `verify-full`. For the other names of this mode, pg prints a long warning,
 * because its next major version will treat them as libpq does.
 */
const withExplicitMode = (url: string): string =>
  /[?&]uselibpqcompat=true/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/g, '$1verify-full');

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/, {
    error: 'must be a URL such as postgresql://user:password@host:5432/database',
    abort: true,
  })
  .superRefine((text, context) => {
    const message = hostProblem(text) ?? (hasInvalidPort(text) || !isPort(portParameter(text)) ? portProblem : null);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .transform((text) => withExplicitMode(withHostsParameter(text)))
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && (url.hostname !== '' || Boolean(url.searchParams.get('host')));
  }, 'must contain a host, as in postgresql://user:password@host:5432/database, with special characters percent-encoded');

export const commaSeparated = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => text.split(',').map((element) => element.trim()))
    .pipe(z.array(item));

const address = String.raw`[^\s@<>()",:;[\]\\]+@[^\s@<>()",:;[\]\\]+`;
const displayName = String.raw`(?:"[^"\r\n]*"|[^@<>()",:;\r\n]*)`;

/** Email address with an optional name, such as `Courtside <no-reply@example.com>`. Names with punctuation need quotation marks. */
export const mailbox = z
  .string()
  .regex(
    new RegExp(`^(?:${address}|${displayName} *<${address}>)$`),
    'must be an email address, or a name and an address such as "Courtside <no-reply@example.com>"',
  );

export const secrets = commaSeparated(z.string()).refine(
  (texts) => !texts.includes('') && texts.length === new Set(texts).size,
  'must be comma-separated secrets, without empty or duplicate ones',
);

/** HTTP headers in the OpenTelemetry format. The exporters ignore malformed headers without an error. */
export const traceHeaders = z.string().refine((text) => {
  const headers = text.split(',').filter((header) => header.trim() !== '');
  return headers.every((header) => /^\s*[\w.-]+\s*=\s*\S/.test(header) && isDecodable(header));
}, 'must be comma-separated headers such as api-key=secret, with special characters percent-encoded');

/** Number of proxies, or their addresses and networks. proxy-addr also accepts `loopback`, `linklocal` and `uniquelocal`. */
export const proxies = z.string().transform((text, context): number | string[] => {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 10) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  try {
    if (!/^\d+$/.test(text)) proxyAddress.compile(networks);
    else throw new Error('too many proxies');
    return networks;
  } catch {
    const message =
      'must be a number of proxies from 0 to 10, or their comma-separated addresses or networks, such as 10.0.0.0/8';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

function isNetwork(text: string): boolean {
  try {
    return ipaddr.parseCIDR(text).length === 2;
  } catch {
    return false;
  }
}

/** Addresses and networks, such as `10.0.0.0/8` and `::1`. */
export const networks = commaSeparated(
  z
    .string()
    .refine(
      (text) => ipaddr.isValid(text) || isNetwork(text),
      'must be comma-separated addresses or networks, such as 10.0.0.0/8',
    ),
);

export const rateLimits = z.string().transform((text, context): Quotas => {
  const result = parseQuotas(text);
  if ('quotas' in result) return result.quotas;
  for (const message of result.problems) context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Comma-separated origins of web pages. `*` means all origins, and `none` means none. */
export const origins = z.string().transform((text, context): '*' | string[] => {
  if (text === '*') return text;
  const items = text === 'none' ? [] : text.split(',').map((origin) => origin.trim());
  if (items.every((origin) => keyOrigin.matches(origin))) return items;
  context.addIssue({
    code: 'custom',
    message: 'must be *, none, or comma-separated origins, such as https://www.example.com or http://localhost:*',
  });
  return z.NEVER;
});

export const moduleName = z.string().regex(/^[a-z]+$/, 'must be all, none, or comma-separated module names');
