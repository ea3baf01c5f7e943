import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { SentRequest } from '../../comparison/ask.js';
import { type OldRoute, oldRoutes } from '../../comparison/old-routes.js';
import { StartProblem } from '../../start-problem.js';
import { pseudonymForm } from '../traffic/pseudonyms.js';
import type { ReplayOptions } from './options.js';
import { tokensOf } from './tokens.js';

const pairs = z.array(z.object({ name: z.string(), value: z.string() }));
const entry = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: pairs,
    postData: z.object({ text: z.string().optional(), _encoding: z.string().optional() }).optional(),
    _leftOut: z.string().optional(),
  }),
  response: z
    .object({ content: z.object({ text: z.string().optional(), encoding: z.string().optional() }).optional() })
    .optional(),
});
const har = z.object({ log: z.object({ entries: z.array(entry) }) });

type Entry = z.infer<typeof entry>;

/** A request of the file, ready to be sent. */
export interface Recorded {
  /** Its route, or what of its path is the same for all that no route knows. */
  readonly name: string;
  readonly writes: boolean;
  /** With pseudonyms and ids as they stand in the file. */
  readonly sent: SentRequest;
  /** Texts in which it names what there is: its path and its body. */
  readonly named: readonly string[];
  /** The answer of that time, where others are made of it: what a server chose is in it. */
  readonly answer: string | null;
  /** As the file has it, without tokens. */
  readonly shown: string;
}

/** What a file has, and what of it is not sent. */
export interface Recording {
  readonly requests: readonly Recorded[];
  readonly notWanted: number;
  /** They change something, and `--writes` was not given. */
  readonly writesLeft: number;
  /** Their bodies are not in the file. */
  readonly bodiless: number;
}

/** Of the connection, or made anew; and what a server would answer with nothing, as it does who has the answer. */
const notSent =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|accept-encoding|expect|x-forwarded-.*|if-none-match|if-modified-since|:.*)$/i;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** A recording that was killed while it wrote has all its lines but the last. */
function withoutLast(text: string): unknown {
  const lines = text.trimEnd().split('\n');
  return parsed(`${lines.slice(0, -1).join('\n').replace(/,$/, '')}\n]}}`);
}

function entriesIn(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new StartProblem(`${file} cannot be read.`);
  }
  const found = har.safeParse(parsed(text) ?? withoutLast(text));
  if (!found.success)
    throw new StartProblem(`${file} is no HAR file: ${found.error.issues[0]?.path.join('.') || 'it is not valid JSON'}.`);
  return found.data.log.entries;
}

const decoded = (base64: string | null) => base64 && Buffer.from(base64, 'base64').toString();

/** What a path is called that no route knows: without what looks like an id. */
const pathName = (path: string) =>
  path.replace(/(?<=\/)(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d+|[^/]{24,}|[^/]*(?:@|%40)[^/]*)(?=\/|$)/gi, '…');

/** The requests of the file that are to be sent; throws where one needs a token that was not given. */
export function recordingOf(options: ReplayOptions): Recording {
  const routeOf = oldRoutes();
  const known = (['old', 'new'] as const).map((side) => tokensOf(options.tokens, side));
  const missing = new Set<string>();
  /** Tokens that writes give when they are sent. */
  const promised = new Set<string>();
  const left = { notWanted: 0, writesLeft: 0, bodiless: 0 };
  const requests = entriesIn(options.file).flatMap(({ request, response }): Recorded[] => {
    const { method, url, headers, postData, _leftOut } = request;
    const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/';
    const [plainPath = ''] = path.split('?');
    const { name, writes }: OldRoute = routeOf(method, path);
    const called = name ?? `${method} ${pathName(plainPath)}`;
    if (!options.wants(called, plainPath)) left.notWanted += 1;
    else if (writes && !options.writes) left.writesLeft += 1;
    else if (_leftOut !== undefined) left.bodiless += 1;
    else {
      const kept = headers.filter((header) => !notSent.test(header.name));
      const text = postData?.text;
      for (const part of [path, text ?? '', ...kept.map(({ value }) => value)])
        for (const pseudonym of known.flatMap((tokens) => tokens.missing(part)))
          if (!promised.has(pseudonym)) missing.add(pseudonym);
      const { text: told = null, encoding } = response?.content ?? {};
      const answer = options.writes ? (encoding === 'base64' ? decoded(told) : told) : null;
      if (writes) for (const [pseudonym] of answer?.matchAll(pseudonymForm) ?? []) promised.add(pseudonym);
      const body = text === undefined ? null : Buffer.from(text, postData?._encoding === 'base64' ? 'base64' : 'utf8');
      const headersSent = [...kept.flatMap((header) => [header.name, header.value]), 'Accept-Encoding', 'identity'];
      const sent = { method, path, headers: headersSent, body, isRead: !writes };
      return [{ name: called, writes, sent, named: [path, text ?? ''], answer, shown: `${method} ${path}` }];
    }
    return [];
  });
  const kinds = [...new Set([...missing].map((pseudonym) => pseudonym.split('-')[1] ?? ''))].filter((kind) => kind !== 'secret');
  if (kinds.length > 0)
    throw new StartProblem(
      `The file has ${kinds.join(' and ')} tokens, which it does not tell: give ${kinds.map((kind) => `--token ${kind}=…`).join(' ')}.`,
    );
  return { requests, ...left };
}
