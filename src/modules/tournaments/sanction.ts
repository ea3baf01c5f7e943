import { enumeration } from '../../kernel/declare/enumeration.js';
import { flag, ref, text, values } from '../../kernel/declare/fields/fields.js';
import { value } from '../../kernel/declare/record.js';
import { choice } from '../../kernel/declare/scalars/choices.js';
import { GoverningBody } from '../reference/records/tournament-lookups.js';
import { approvalStatuses } from './choices.js';

/** Codes of the governing bodies that sanction tournaments. */
export const SanctioningBody = enumeration(
  'SanctioningBody',
  'Governing body that sanctions tournaments. The values are codes of `governingBodies`.',
  {
    APP: 'Association of Pickleball Players.',
    GPA: 'Global Pickleball Alliance.',
    MLP: 'Major League Pickleball.',
    PAA: 'Pickleball Australia Association.',
    PCO: 'Pickleball Canada Organization.',
    PPA: 'Professional Pickleball Association.',
    SSIPA: 'Super Senior International Pickleball Association.',
    USAP: 'USA Pickleball.',
    WPF: 'World Pickleball Federation.',
  },
);

@value('Whether a governing body sanctions a tournament, and at which level.')
export class Sanction {
  @values(SanctioningBody, 'Governing body.', { required: true })
  body!: keyof typeof SanctioningBody;

  @flag('Whether the governing body sanctions the tournament.')
  isSanctioned!: boolean;

  @choice(approvalStatuses, 'Approval status of the sanction level.')
  levelStatus!: string | null;

  @text('Title of the sanction level.')
  levelTitle!: string | null;

  @text('URL of the logo of the sanction level.')
  levelLogoUrl!: string | null;
}

@value('Approval of a tournament by a governing body.')
export class GoverningBodyApproval {
  @ref(() => GoverningBody, { one: 'governingBody' }, 'Governing body.')
  governingBodyId!: string | null;

  @choice(approvalStatuses, 'Status of the approval.')
  status!: string | null;

  @text('ID of the sanction level on the platform. Not an ID in this graph.', { max: 255 })
  sanctionLevelId!: string | null;
}
