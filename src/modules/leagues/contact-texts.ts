import { prose } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';

@value('Texts of a contact form by reason.')
export class ContactTexts {
  @prose('About the registration.')
  registration!: string | null;

  @prose('About the account on the website.')
  websiteAccount!: string | null;

  @prose('About refunds.')
  refunds!: string | null;

  @prose('About anything else.')
  other!: string | null;
}
