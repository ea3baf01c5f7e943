import { flag, text } from '../../kernel/fields.js';
import { value } from '../../kernel/record.js';

@value('What one governing body says of a tournament (section 2.1).')
export class Sanction {
  @text('Code of the body: APP, GPA, MLP, PAA, PCO, PPA, SSIPA, USAP or WPF.', { required: true, max: 20 })
  body!: string;

  @flag('The body sanctions the tournament.')
  isSanctioned!: boolean;

  @text('Status of the approval of the sanction level, as the platform writes it.')
  levelStatus!: string | null;

  @text('Title of the sanction level.')
  levelTitle!: string | null;

  @text('URL of the logo of the sanction level.')
  levelLogo!: string | null;
}

@value('An approval of a tournament by a governing body, as the platform lists it (section 2.1).')
export class GoverningBodyApproval {
  @text('Id of the governing body.', { max: 255 })
  governingBodyId!: string | null;

  @text('Status of the approval, as the platform writes it.')
  status!: string | null;

  @text('Id of the sanction level.', { max: 255 })
  sanctionLevelId!: string | null;
}
