import { type Code, GraphQLRequestError, NetworkError, type Problem } from 'courtside-sdk';
import { labelOfName } from '../records/words.ts';

/** Error of a request, in the form that the console shows. */
export interface Failure {
  /** Sentence for the viewer. */
  readonly message: string;
  /** Error code of the service. Null if the service did not respond. */
  readonly code: Code | null;
  /** Invalid values of the request. */
  readonly problems: readonly Problem[];
}

/** Starts a text with a capital letter, unless it starts with a path such as `filter.phase.eq`, and ends it with a period. */
const asSentence = (text: string): string => {
  const sentence = /^\w+[.[]\S/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
};

const networkMessage = 'The service could not be reached. Check your connection and try again.';

/** Error that is shown when the viewer changes a record that somebody else has changed since it was read. */
export const conflictFailure: Failure = {
  message: 'Your changes were not saved, because somebody else has changed the record.',
  code: 'CONFLICT',
  problems: [],
};

const unavailableMessage = 'The service is not available at the moment. Try again later.';

const untrustedMessage = 'The service has a new release. Reload the page and sign in again.';

/**
 * Whether the service runs only trusted documents (PERSISTED_QUERY_ONLY). A later release does not trust the documents of an earlier
 * console. The SDK has no code for this error and returns INTERNAL.
 */
const isUntrusted = ({ code, status }: GraphQLRequestError): boolean => code === 'INTERNAL' && status === 403;

const waitText = (seconds: number): string => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds)} s`);

/** Returns the path of a problem without the indexes of list items, such as `events` for `events[1]`. */
const pathOf = ({ field }: Problem): string => field.replaceAll(/\[\d+\]/g, '');

/** Labels of the fields of a form, keyed by their names or paths in the graph. */
type Labels = Readonly<Record<string, string>>;

/** Returns the label of a field in a form, or null if the form does not contain it. */
const formLabelOf = (field: string, labels: Labels): string | null => labels[field]?.replace(' (optional)', '') ?? null;

/** Returns the label of a field, such as `Allowed origins`. Paths such as `filter.phase.eq` stay unchanged. */
const labelOf = (field: string): string => (field.includes('.') ? field : labelOfName(field));

/**
 * Returns the expected value of each invalid field. Items of a list that have the same problem are mentioned once. Details after a
 * semicolon, such as the names of all records, are shown only at the field.
 */
const textOf = (problems: readonly Problem[], labels: Labels = {}): string => {
  const texts = problems.map((problem) => {
    const [expected = ''] = problem.expected.split('; ');
    const field = pathOf(problem).replace(/^input\./, '');
    return `${formLabelOf(field, labels) ?? labelOf(field)}: expected ${expected}`;
  });
  return [...new Set(texts)].join('; ');
};

/** Replaces the GraphQL names of fields in a failure with the labels of a form. */
export function withLabels(failure: Failure | null, labels: Labels): Failure | null {
  if (!failure || failure.problems.length === 0) return failure;
  const labeled = (text: string) =>
    text.replace(/`(\w+)`/g, (quoted, name: string) => {
      const label = formLabelOf(name, labels);
      return label === null ? quoted : `“${label}”`;
    });
  const problems = failure.problems.map((problem) => ({ ...problem, expected: labeled(problem.expected) }));
  return { ...failure, problems, message: asSentence(textOf(problems, labels)) };
}

/** Converts an error of the SDK, or an urql error that was caused by one, to a failure. */
export function failureOf(error: unknown): Failure {
  const cause: unknown = error instanceof Error && 'networkError' in error ? (error.networkError ?? error) : error;
  if (cause instanceof NetworkError) return { message: networkMessage, code: null, problems: [] };
  if (!(cause instanceof GraphQLRequestError)) return { message: asSentence(String(cause)), code: null, problems: [] };
  const { code, problems, retryAfter, currentVersion } = cause;
  if (currentVersion !== undefined) return conflictFailure;
  if (isUntrusted(cause)) return { message: untrustedMessage, code, problems };
  if (code === 'UNAVAILABLE') return { message: unavailableMessage, code, problems };
  if (problems.length > 0) return { message: asSentence(textOf(problems)), code, problems };
  const wait = code === 'RATE_LIMITED' && retryAfter !== undefined ? ` Try again in ${waitText(retryAfter)}.` : '';
  return { message: asSentence(cause.message) + wait, code, problems };
}

/**
 * Returns the expected value of a field, such as `reason` or `location.city`, if its value or an item of its list is invalid. The path of a
 * field in a list item contains the index, such as `approvals[1].status`.
 */
export const problemOf = (failure: Failure | null, field: string): string | undefined =>
  failure?.problems.find((problem) =>
    [problem.field, pathOf(problem)].some((path) => path === field || path.endsWith(`.${field}`)),
  )?.expected;
