import { flag, group, id, instant, longText, money, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform } from '../../../kernel/declare/policy/policy.js';
import { record, value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { approvalStatuses } from '../../tournaments/choices.js';
import { Tournament } from '../../tournaments/tournament.js';
import { moduleKinds } from '../choices.js';

@value('Sanction by a governing body, and the terms and conditions for members and non-members.')
export class GoverningBodyTerms {
  @text('ID of the sanction level on the platform. Not an ID in this graph.', { max: 255 })
  levelId!: string | null;

  @choice(approvalStatuses, 'Approval status of the sanction level.')
  status!: string | null;

  @longText('Comments on the approval.')
  comments!: string | null;

  @text('Name of the person who approved the sanction, as sent by the client.')
  approvedBy!: string | null;

  @instant('When the sanction was approved.')
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

@record(
  {
    table: 'sanction_setup',
    one: 'sanctionSetup',
    many: 'sanctionSetups',
    read: [platform, permission('ADMIN')],
    write: { policies: [platform] },
  },
  'Sanctions, eligibility and ratings of a tournament, league or club.',
)
export class SanctionSetup extends TrackedRecord {
  @id('ID of the setup.')
  id!: string;

  @choice(moduleKinds, 'Type of the record that the setup applies to.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'sanctionSetups' },
    'Record that the setup applies to. The field `tournament` is null if the record is not a tournament. The field `module` returns records of any type.',
  )
  moduleId!: string | null;

  @flag('Whether there are groups for seniors and for players under 50.')
  usesSeniorAndUnder50!: boolean;

  @flag('Whether only members of the club may take part.')
  isClubMembersOnly!: boolean;

  @flag('Whether games count toward the ratings of the club.')
  countsTowardClubRatings!: boolean;

  @text('Preferred rating.')
  firstRating!: string | null;

  @text('Second rating, used if the preferred rating is missing.')
  secondRating!: string | null;

  @text('Third rating, used if the second rating is missing.')
  thirdRating!: string | null;

  @text('Fourth rating, used if the third rating is missing.')
  fourthRating!: string | null;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the Association of Pickleball Players.')
  app!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the Global Pickleball Alliance.')
  gpa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of Life Time.')
  lifeTime!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the Pickleball Australia Association.')
  paa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the Pickleball Canada Organization.')
  pco!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the Professional Pickleball Association.')
  ppa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the Super Senior International Pickleball Association.')
  ssipa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of USA Pickleball.')
  usap!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms and conditions of the World Pickleball Federation.')
  wpf!: GoverningBodyTerms;
}
