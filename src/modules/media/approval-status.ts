import { instant, int, text, values } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { ApprovalState } from './approval-state.js';

@value('Where an item stands in its approval.')
export class ApprovalStatus {
  @values(ApprovalState, 'Pending, approved or declined.', { required: true, default: "'PENDING'" })
  state!: ApprovalState;

  @int('How many approvals it needs, 0 to 2.', { required: true, default: '1' })
  required!: number;

  @int('How many approvals it has.', { required: true, default: '0' })
  given!: number;

  @instant('When it was declined.')
  declinedAt!: string | null;

  @text('Why it was declined.')
  declineReason!: string | null;
}
