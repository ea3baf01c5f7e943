import { instant, int, text } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';

/** Maximum number of stored attempts per delivery. */
export const maxPastAttempts = 10;

@value('Attempt to send a delivery.')
export class WebhookAttempt {
  @instant('When the attempt started.', { required: true })
  startedAt!: string;

  @int('Duration in milliseconds, including DNS and the response.', { required: true })
  duration!: number;

  @int('HTTP status of the response. Null if there was none.')
  httpStatus!: number | null;

  @text('Reason why the attempt failed. Null if it did not fail.')
  error!: string | null;

  @text('Start of the response body, at most 200 characters. Null if there was none.')
  response!: string | null;
}
