import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartProblem } from '../../process/start-problem.js';
import { createRouteFinder, type OldRoute } from '../comparison/old-routes.js';
import type { SentRequest } from '../comparison/server.js';
import { pseudonymForm } from '../recording/pseudonyms.js';
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

/** A recorded request, ready to be sent. */
export interface RecordedRequest {
  /** Its route, or else its method and path with IDs replaced by `…`. */
  readonly name: string;
  readonly writes: boolean;
  /** The request with the pseudonyms and IDs of the recording. */
  readonly request: SentRequest;
  /** Texts that can contain IDs: path and body. */
  readonly placeholders: readonly string[];
  /** Body of the recorded response, which contains the IDs that the server generated. Null without `--writes`. */
  readonly answer: string | null;
  /** Method and path for reports, with pseudonyms instead of tokens. */
  readonly displayUrl: string;
}

/** Requests of a recording, and the numbers of requests that are not sent. */
export interface Recording {
  readonly requests: readonly RecordedRequest[];
  /** Requests that `--only` does not select. */
  readonly excludedCount: number;
  /** Requests that change data, without `--writes`. */
  readonly writesLeft: number;
  /** Requests whose body was not recorded. */
  readonly bodiless: number;
}

/** Headers that are not sent: those of the connection, those that the client sets, and those that can lead to a 304 response. */
const notSent =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|accept-encoding|expect|x-forwarded-.*|if-none-match|if-modified-since|:.*)$/i;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Parses the JSON without its last line, which is incomplete if the recording process was killed. */
function withoutLast(text: string): unknown {
  const lines = text.trimEnd().split('\n');
  return parsed(`${lines.slice(0, -1).join('\n').replace(/,$/, '')}\n]}}`);
}

function entriesIn(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new StartProblem(`${file} cannot be read: check the name and the permissions of the file.`);
  }
  const result = har.safeParse(parsed(text) ?? withoutLast(text));
  if (!result.success)
    throw new StartProblem(
      `${file} is not a HAR file: ${result.error.issues[0]?.path.join('.') || 'the JSON'} is missing or invalid.`,
    );
  return result.data.log.entries;
}

const decodeBase64 = (base64: string | null) => base64 && Buffer.from(base64, 'base64').toString();

/** Name of a path without a route: everything that looks like an ID is replaced by `…`. */
const pathName = (path: string) =>
  path.replace(/(?<=\/)(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d+|[^/]{24,}|[^/]*(?:@|%40)[^/]*)(?=\/|$)/gi, '…');

/** The requests to send. Throws a `StartProblem` if a token is missing. */
export function recordingOf(options: ReplayOptions): Recording {
  const routeOf = createRouteFinder();
  const tokensBySide = (['old', 'new'] as const).map((side) => tokensOf(options.tokens, side));
  const missing = new Set<string>();
  /** Pseudonyms of tokens that the responses of earlier writes contain. */
  const issued = new Set<string>();
  const skippedCounts = { excludedCount: 0, writesLeft: 0, bodiless: 0 };
  const requests = entriesIn(options.file).flatMap(({ request, response }): RecordedRequest[] => {
    const { method, url, headers, postData, _leftOut } = request;
    const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/';
    const [plainPath = ''] = path.split('?');
    const { name, isWrite }: OldRoute = routeOf(method, path);
    const label = name ?? `${method} ${pathName(plainPath)}`;
    if (!options.isSelected(label, plainPath)) skippedCounts.excludedCount += 1;
    else if (isWrite && !options.writes) skippedCounts.writesLeft += 1;
    else if (_leftOut !== undefined) skippedCounts.bodiless += 1;
    else {
      const sentHeaders = headers.filter((header) => !notSent.test(header.name));
      const text = postData?.text;
      for (const part of [path, text ?? '', ...sentHeaders.map(({ value }) => value)])
        for (const pseudonym of tokensBySide.flatMap((tokens) => tokens.missingTokens(part)))
          if (!issued.has(pseudonym)) missing.add(pseudonym);
      const { text: responseText = null, encoding } = response?.content ?? {};
      const answer = options.writes ? (encoding === 'base64' ? decodeBase64(responseText) : responseText) : null;
      if (isWrite) for (const [pseudonym] of answer?.matchAll(pseudonymForm) ?? []) issued.add(pseudonym);
      const body = text === undefined ? null : Buffer.from(text, postData?._encoding === 'base64' ? 'base64' : 'utf8');
      const headersSent = [...sentHeaders.flatMap((header) => [header.name, header.value]), 'Accept-Encoding', 'identity'];
      const sentRequest = { method, path, headers: headersSent, body, isRead: !isWrite };
      return [
        {
          name: label,
          writes: isWrite,
          request: sentRequest,
          placeholders: [path, text ?? ''],
          answer,
          displayUrl: `${method} ${path}`,
        },
      ];
    }
    return [];
  });
  const kinds = [...new Set([...missing].map((pseudonym) => pseudonym.split('-')[1] ?? ''))].filter((kind) => kind !== 'secret');
  if (kinds.length > 0)
    throw new StartProblem(
      `The recording has pseudonyms instead of ${kinds.join(' and ')} tokens: add ${kinds.map((kind) => `--token ${kind}=…`).join(' ')}.`,
    );
  return { requests, ...skippedCounts };
}
