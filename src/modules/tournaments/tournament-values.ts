import { integerInNumber } from '../../kernel/declare/fields/converted-fields.js';
import { flag, text } from '../../kernel/declare/fields/fields.js';
import { value } from '../../kernel/declare/record.js';

@value('Public contact of a tournament, and the texts of its contact form, one per contact reason.')
export class TournamentContact {
  @text('Text about registration.', { max: 100_000 })
  registration!: string | null;

  @text('Text of the contact form for questions about website accounts.', { max: 100_000 })
  websiteAccount!: string | null;

  @text('Text about refunds.', { max: 100_000 })
  refunds!: string | null;

  @text('Other information.', { max: 100_000 })
  other!: string | null;

  @text('Text about changing partners.', { max: 100_000 })
  partnerChange!: string | null;

  @text('Text for volunteers.', { max: 100_000 })
  volunteer!: string | null;

  @text('Text for referees.', { max: 100_000 })
  referee!: string | null;

  @text('Text for vendors.', { max: 100_000 })
  vendor!: string | null;

  @text('Text for sponsors.', { max: 100_000 })
  sponsor!: string | null;

  @text('Name of the public contact.')
  publicName!: string | null;

  @text('Email address of the public contact.')
  publicEmail!: string | null;

  @text('Phone number of the public contact.')
  publicPhone!: string | null;
}

@value('Settings of the digital score card.')
export class ScoreCard {
  @flag('Whether courts are hidden.')
  hidesCourts!: boolean;

  @flag('Whether referees are hidden.')
  hidesReferees!: boolean;

  @flag('Whether the next match is hidden.')
  hidesNextMatch!: boolean;

  @flag('Whether the match after the next one is hidden.')
  hidesMatchAfterNext!: boolean;

  @integerInNumber('Number of minutes until the estimated start of the next match, as defined by the platform.')
  minutesToNextMatch!: number | null;
}

@value('Title sponsor of a tournament.')
export class TitleSponsor {
  @text('URL of the logo.')
  logoUrl!: string | null;

  @text('Tagline.')
  tagline!: string | null;

  @text('Title.')
  title!: string | null;

  @text('URL of the website.')
  url!: string | null;
}
