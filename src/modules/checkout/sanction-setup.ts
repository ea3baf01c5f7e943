import { choice } from '../../kernel/declare/choices.js';
import { flag, group, id, ref, text } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { platform } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { Tournament } from '../tournaments/tournament.js';
import { moduleKinds } from './choices.js';
import { GoverningBodyTerms } from './governing-body-terms.js';

@record(
  { table: 'sanction_setup', one: 'sanctionSetup', many: 'sanctionSetups', read: [platform], write: { by: [platform] } },
  'Who sanctions something, who may take part, and which ratings count.',
)
export class SanctionSetup extends Kept {
  @id('Id of the setup.')
  id!: string;

  @choice(moduleKinds, 'Kind of thing it is about.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'sanctionSetups' },
    'What it is about: its id, or the tournament where it is one.',
  )
  moduleId!: string | null;

  @flag('There are groups for seniors and for players under 50.')
  usesSeniorAndUnder50!: boolean;

  @flag('Only members of the club may take part.')
  isClubMembersOnly!: boolean;

  @flag('Games count toward the ratings of the club.')
  countsTowardClubRatings!: boolean;

  @text('The rating that is looked at first.')
  firstRating!: string | null;

  @text('The rating that is looked at where the first is missing.')
  secondRating!: string | null;

  @text('The rating that is looked at where the second is missing.')
  thirdRating!: string | null;

  @text('The rating that is looked at where the third is missing.')
  fourthRating!: string | null;

  @group(() => GoverningBodyTerms, 'Terms of the Association of Pickleball Players.')
  app!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of the Global Pickleball Alliance.')
  gpa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of Life Time.')
  lifeTime!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of the Pickleball Australia Association.')
  paa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of the Pickleball Canada Organization.')
  pco!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of the Professional Pickleball Association.')
  ppa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of the Super Senior International Pickleball Association.')
  ssipa!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of USA Pickleball.')
  usap!: GoverningBodyTerms;

  @group(() => GoverningBodyTerms, 'Terms of the World Pickleball Federation.')
  wpf!: GoverningBodyTerms;
}
