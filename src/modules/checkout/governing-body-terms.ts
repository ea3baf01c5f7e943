import { choice } from '../../kernel/declare/choices.js';
import { flag, instant, money, prose, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { approvalStatuses } from '../tournaments/choices.js';

@value('How one governing body sanctions something, and what it means for its members and others.')
export class GoverningBodyTerms {
  @text('Id of the sanction level on the platform; no record of this graph has it.', { max: 255 })
  levelId!: string | null;

  @choice(approvalStatuses, 'Status of the approval of the sanction level.')
  status!: string | null;

  @prose('Comments on the approval.')
  comments!: string | null;

  @text('Name of the person who approved it, as it was sent: of whom, nothing else is known.')
  approvedBy!: string | null;

  @instant('When it was approved.')
  approvedAt!: string | null;

  @flag('Only members of the body may take part.')
  isMembersOnly!: boolean;

  @flag('The limit to members holds for certain events only.')
  isForSomeEventsOnly!: boolean;

  @flag('Others may take part for an additional fee.')
  admitsOthersForFee!: boolean;

  @money('What others pay in addition; no currency is stated.')
  additionalFee!: string | null;
}
