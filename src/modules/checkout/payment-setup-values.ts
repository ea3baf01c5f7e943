import { flag, instant, prose, ref, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { Country } from '../reference/country.js';
import { State } from '../reference/state.js';

@value('Paying on another website.')
export class RedirectPayment {
  @flag('This way to pay is open.')
  isEnabled!: boolean;

  @text('URL of the website.')
  url!: string | null;

  @text('Title of the link.')
  title!: string | null;
}

@value("Paying in the organiser's own way.")
export class CustomPayment {
  @flag('This way to pay is open.')
  isEnabled!: boolean;

  @text('Title.')
  title!: string | null;

  @prose('What one has to do.')
  content!: string | null;
}

@value('Paying later.')
export class PayLater {
  @flag('This way to pay is open.')
  isEnabled!: boolean;

  @instant('Until when one has to have paid.')
  deadline!: string | null;
}

@value('To whom and where checks are sent.')
export class CheckPayment {
  @text('To whom checks are payable.')
  payableTo!: string | null;

  @text('Name of the person at the address.')
  attention!: string | null;

  @text('First line of the address.')
  addressLine1!: string | null;

  @text('Second line of the address.')
  addressLine2!: string | null;

  @ref(() => Country, { one: 'country' }, 'Country of the address.', { index: false })
  countryId!: string | null;

  @ref(() => State, { one: 'state' }, 'State of the address.', { index: false })
  stateId!: string | null;

  @text('Postal code.')
  zip!: string | null;

  @text('City.')
  city!: string | null;
}
