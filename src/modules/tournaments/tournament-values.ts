import { flag, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { wholeNumber } from '../../kernel/declare/shown-fields.js';

@value('Texts beside the contact form of a tournament, one a reason, and who is shown as contact.')
export class TournamentContact {
  @text('About the registration.', { max: 100_000 })
  registration!: string | null;

  @text('About the account on the website.', { max: 100_000 })
  websiteAccount!: string | null;

  @text('About refunds.', { max: 100_000 })
  refunds!: string | null;

  @text('About anything else.', { max: 100_000 })
  other!: string | null;

  @text('About a change of partner.', { max: 100_000 })
  partnerChange!: string | null;

  @text('For volunteers.', { max: 100_000 })
  volunteer!: string | null;

  @text('For referees.', { max: 100_000 })
  referee!: string | null;

  @text('For vendors.', { max: 100_000 })
  vendor!: string | null;

  @text('For sponsors.', { max: 100_000 })
  sponsor!: string | null;

  @text('Name shown to the public.')
  publicName!: string | null;

  @text('E-mail address shown to the public.')
  publicEmail!: string | null;

  @text('Phone number shown to the public.')
  publicPhone!: string | null;
}

@value('What the digital score card leaves out.')
export class ScoreCard {
  @flag('Courts are hidden.')
  hidesCourts!: boolean;

  @flag('Referees are hidden.')
  hidesReferees!: boolean;

  @flag('The next match is hidden.')
  hidesNextMatch!: boolean;

  @flag('The match after the next is hidden.')
  hidesMatchAfterNext!: boolean;

  @wholeNumber('Minutes from the desk to the estimated time of the next match.')
  minutesToNextMatch!: number | null;
}

@value('The sponsor that gives a tournament its name.')
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
