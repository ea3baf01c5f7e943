import { flag, instant, prose, ref, text } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';
import { Country, State } from '../../reference/records/locations.js';

@value('Payment on another website.')
export class RedirectPayment {
  @flag('Whether the method is enabled.')
  isEnabled!: boolean;

  @text('URL of the website.')
  url!: string | null;

  @text('Title of the link.')
  title!: string | null;
}

@value('Payment by a custom method of the organizer.')
export class CustomPayment {
  @flag('Whether the method is enabled.')
  isEnabled!: boolean;

  @text('Title.')
  title!: string | null;

  @prose('Instructions for the payer.')
  content!: string | null;
}

@value('Deferred payment.')
export class PayLater {
  @flag('Whether the method is enabled.')
  isEnabled!: boolean;

  @instant('Payment deadline.')
  deadline!: string | null;
}

@value('Payment by check.')
export class CheckPayment {
  @text('Payee of the checks.')
  payableTo!: string | null;

  @text('Name of the recipient.')
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
