import { statuses } from '../../kernel/declare/errors.js';

/** Messages that differ between the two server libraries. */
const undeterminedOperation = 'Could not determine what operation to execute.';
const postOnly = 'Can only perform a mutation operation from a POST request.';

/** Message for an invalid request, the same for both servers. Apollo Server identifies these errors by code and status. */
export function commonMessage(message: string, code: unknown, status: number | undefined): string {
  if (code === 'OPERATION_RESOLUTION_FAILURE') return undeterminedOperation;
  return code === 'BAD_REQUEST' && status === statuses.METHOD_NOT_ALLOWED ? postOnly : message;
}
