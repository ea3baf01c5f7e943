import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartProblem } from '../../process/start-problem.js';
import { createRouteFinder, type RouteMatch } from '../comparison/route-finder.js';
import type { SentRequest } from '../comparison/server.js';
import { pseudonymPattern } from '../recording/pseudonyms.js';
import type { ReplayOptions } from './options.js';
import { tokensOf } from './server-translator.js';

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
    .object({
      status: z.number().optional(),
      content: z.object({ text: z.string().optional(), encoding: z.string().optional() }).optional(),
    })
    .optional(),
});
const har = z.object({ log: z.object({ entries: z.array(entry) }) });

type Entry = z.infer<typeof entry>;

/** A recorded request to send. */
export interface RecordedRequest {
  /** Route. If the request matches no route, the method and the path, in which `…` replaces IDs. */
  readonly name: string;
  /** Whether the request may change data. */
  readonly isWrite: boolean;
  /** The request as recorded, with pseudonyms and recorded IDs. */
  readonly request: SentRequest;
  /** Path and body, which can contain IDs. */
  readonly textsWithIds: readonly string[];
  /** Body of the recorded response, which contains the IDs that the server generated. Null without `--writes`. */
  readonly recordedResponse: string | null;
  /** Status of the recorded response. Null if there is none, or if it is 304, because the headers that result in 304 are not sent. */
  readonly recordedStatus: number | null;
  /** Method and path for reports, with pseudonyms instead of tokens. */
  readonly displayUrl: string;
}

/** Requests to send from a recording, and counts of the requests that are not sent. */
export interface Recording {
  readonly requests: readonly RecordedRequest[];
  /** Number of requests that `--only` does not select. */
  readonly unselectedCount: number;
  /** Number of requests that may change data and are skipped without `--writes`. */
  readonly skippedWriteCount: number;
  /** Number of requests that are skipped because the recording omits their bodies. */
  readonly bodilessCount: number;
}

/**
 * Headers that are not sent: headers of the connection or of proxies, headers that the HTTP client sets, and headers that can result in a
 * 304 response.
 */
const unsentHeaders =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|accept-encoding|expect|x-forwarded-.*|if-none-match|if-modified-since|:.*)$/i;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Parses a HAR file without its last line, which is incomplete if the recording process was killed. */
function parseWithoutLastLine(text: string): unknown {
  const lines = text.trimEnd().split('\n');
  return parseJson(`${lines.slice(0, -1).join('\n').replace(/,$/, '')}\n]}}`);
}

function entriesIn(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new StartProblem(`${file} cannot be read: check the name and the permissions of the file.`);
  }
  const result = har.safeParse(parseJson(text) ?? parseWithoutLastLine(text));
  if (!result.success)
    throw new StartProblem(
      `${file} is not a HAR file: ${result.error.issues[0]?.path.join('.') || 'the JSON'} is missing or invalid.`,
    );
  return result.data.log.entries;
}

const decodeBase64 = (base64: string | null) => base64 && Buffer.from(base64, 'base64').toString();

/** Returns a path in which `…` replaces segments that may be IDs. */
const pathName = (path: string) =>
  path.replace(/(?<=\/)(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d+|[^/]{24,}|[^/]*(?:@|%40)[^/]*)(?=\/|$)/gi, '…');

/** Reads a recording. Throws a `StartProblem` if the file is invalid or a token is missing. */
export function readRecording(options: ReplayOptions): Recording {
  const routeOf = createRouteFinder();
  const tokensBySide = (['old', 'new'] as const).map((side) => tokensOf(options.tokens, side));
  const missingPseudonyms = new Set<string>();
  // Pseudonyms of tokens in responses to earlier writes. Each server issues its own tokens, so no `--token` is required for them.
  const issuedPseudonyms = new Set<string>();
  const skippedCounts = { unselectedCount: 0, skippedWriteCount: 0, bodilessCount: 0 };
  const requests = entriesIn(options.file).flatMap(({ request, response }): RecordedRequest[] => {
    const { method, url, headers, postData, _leftOut } = request;
    const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/';
    const [plainPath = ''] = path.split('?');
    const { name, isWrite }: RouteMatch = routeOf(method, path);
    const label = name ?? `${method} ${pathName(plainPath)}`;
    if (!options.isSelected(label, plainPath)) skippedCounts.unselectedCount += 1;
    else if (isWrite && !options.includesWrites) skippedCounts.skippedWriteCount += 1;
    else if (_leftOut !== undefined) skippedCounts.bodilessCount += 1;
    else {
      const keptHeaders = headers.filter((header) => !unsentHeaders.test(header.name));
      const text = postData?.text;
      for (const sentText of [path, text ?? '', ...keptHeaders.map(({ value }) => value)])
        for (const pseudonym of tokensBySide.flatMap((tokens) => tokens.missingTokens(sentText)))
          if (!issuedPseudonyms.has(pseudonym)) missingPseudonyms.add(pseudonym);
      const { text: responseText = null, encoding } = response?.content ?? {};
      const recordedResponse = options.includesWrites
        ? encoding === 'base64'
          ? decodeBase64(responseText)
          : responseText
        : null;
      if (isWrite) for (const [pseudonym] of recordedResponse?.matchAll(pseudonymPattern) ?? []) issuedPseudonyms.add(pseudonym);
      const body = text === undefined ? null : Buffer.from(text, postData?._encoding === 'base64' ? 'base64' : 'utf8');
      const sentHeaders = [...keptHeaders.flatMap((header) => [header.name, header.value]), 'Accept-Encoding', 'identity'];
      const sentRequest = { method, path, headers: sentHeaders, body, isRead: !isWrite };
      return [
        {
          name: label,
          isWrite,
          request: sentRequest,
          textsWithIds: [path, text ?? ''],
          recordedResponse,
          recordedStatus: response?.status && response.status !== 304 ? response.status : null,
          displayUrl: `${method} ${path}`,
        },
      ];
    }
    return [];
  });
  const kinds = [...new Set([...missingPseudonyms].map((pseudonym) => pseudonym.split('-')[1] ?? ''))].filter(
    (kind) => kind !== 'secret',
  );
  if (kinds.length > 0)
    throw new StartProblem(
      `The recording contains pseudonyms instead of ${kinds.join(' and ')} tokens: add ${kinds.map((kind) => `--token ${kind}=…`).join(' ')}.`,
    );
  return { requests, ...skippedCounts };
}
