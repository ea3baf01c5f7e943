import { statuses } from '../kernel/declare/errors.js';

/** What is said of a request where the servers have words of their own. */
const undecided = 'Could not determine what operation to execute.';
const onlyByPost = 'Can only perform a mutation operation from a POST request.';

/** An error about a request itself in the same words by both servers, of which Apollo Server tells by a code and a status what it means. */
export function inOneVoice(message: string, code: unknown, status: number | undefined): string {
  if (code === 'OPERATION_RESOLUTION_FAILURE') return undecided;
  return code === 'BAD_REQUEST' && status === statuses.METHOD_NOT_ALLOWED ? onlyByPost : message;
}
