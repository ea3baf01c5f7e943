import { flag, instant, money, prose, text } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { approvalStatuses } from '../../tournaments/choices.js';

@value('Sanction of a governing body, and its terms for members and non-members.')
export class GoverningBodyTerms {
  @text('ID of the sanction level on the platform. Not the ID of a record in this graph.', { max: 255 })
  levelId!: string | null;

  @choice(approvalStatuses, 'Status of the approval of the sanction level.')
  status!: string | null;

  @prose('Comments on the approval.')
  comments!: string | null;

  @text('Name of the person who approved it, as sent.')
  approvedBy!: string | null;

  @instant('When it was approved.')
  approvedAt!: string | null;

  @flag('Whether only members of the body may take part.')
  isMembersOnly!: boolean;

  @flag('Whether the restriction to members applies only to certain events.')
  isForSomeEventsOnly!: boolean;

  @flag('Whether non-members may take part for an additional fee.')
  admitsOthersForFee!: boolean;

  @money('Additional fee for non-members. The currency is not specified.')
  additionalFee!: string | null;
}
