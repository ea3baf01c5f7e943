import { prose } from '../../kernel/declare/fields/fields.js';
import { value } from '../../kernel/declare/record.js';

@value('Texts of a contact form, one per contact reason.')
export class ContactTexts {
  @prose('Text about registration.')
  registration!: string | null;

  @prose('Text about website accounts.')
  websiteAccount!: string | null;

  @prose('Text about refunds.')
  refunds!: string | null;

  @prose('Other information.')
  other!: string | null;
}
