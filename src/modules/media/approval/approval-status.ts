import { instant, int, text, values } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';
import { ApprovalState } from './approval-state.js';

@value('Approval status of an item.')
export class ApprovalStatus {
  @values(ApprovalState, 'Approval state of the item.', { required: true, default: "'PENDING'" })
  state!: ApprovalState;

  @int('Number of required approvals, 0 to 2.', { required: true, default: '1' })
  required!: number;

  @int('Number of approvals so far.', { required: true, default: '0' })
  given!: number;

  @instant('When the item was declined. Null if it was not.')
  declinedAt!: string | null;

  @text('Reason for the decline. Null if the item was not declined.')
  declineReason!: string | null;
}
