import fc from 'fast-check';

const long = 'x'.repeat(5_000);

/** Texts that often cause errors. The checks treat none of them as a secret. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud83d',
  'x\udc00y',
  '\u202eabc\u202c',
  'مرحبا שלום',
  '\ufeff\u200b\u200d',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '\r\nX-Injected: 1',
  `'; --`,
  `' or ''='`,
  '%',
  '_%\\',
  '\\',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/hosts',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '99999999999999999999999999',
  '-2147483649',
  '0x10',
  '1_000',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '+294276-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999999999-23:59',
  'true',
  '[]',
  '(1,2',
  'a&b|c:*',
  '""',
  '@',
  'x@y@z',
  long,
];

/** Numbers that often cause errors. `jsonText` adds numbers that JavaScript cannot represent. */
const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  1e21,
  1e308,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  4294967296.5,
  253402300800,
];

const nested = (depth: number): unknown => (depth === 0 ? {} : { a: [nested(depth - 1)] });

/** Values of every JSON type. Most are invalid everywhere. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...hostileNumbers),
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { '': '' }, JSON.parse('{"__proto__": 1, "constructor": 2}')),
  fc.constantFrom(3, 30, 60).map(nested),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** JSON numbers that `JSON.stringify` cannot produce, keyed by placeholder. */
const raw: Readonly<Record<string, string>> = {
  '#huge': '1e400',
  '#digits': `0.${'9'.repeat(60)}`,
  '#long': '9'.repeat(400),
  '#minus': '-0',
};
export const rawNumbers: readonly string[] = Object.keys(raw);

/** Returns a value as JSON text. Lone surrogates are preserved, and placeholders become raw numbers. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value)?.replace(/"(#\w+)"/g, (whole, name: string) => raw[name] ?? whole) ?? 'null';
