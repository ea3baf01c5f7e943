import { module } from '../../kernel/serve/module.js';
import { CheckoutResolver } from './checkout-resolver.js';
import { DiscountCode } from './discount-code.js';
import { GoverningBodyTerms } from './governing-body-terms.js';
import { Invoice } from './invoice.js';
import { InvoiceAmount } from './invoice-amount.js';
import { InvoiceItem } from './invoice-item.js';
import { InvoiceItemResolver } from './invoice-item-resolver.js';
import { InvoiceResolver } from './invoice-resolver.js';
import { LeagueViewer } from './league-viewer.js';
import { MerchantLink, ProviderOneAccount, ProviderTwoAccount } from './merchant-link.js';
import { moduleRelations } from './module-relations.js';
import { Payment } from './payment.js';
import { PaymentSetup } from './payment-setup.js';
import { CheckPayment, CustomPayment, PayLater, RedirectPayment } from './payment-setup-values.js';
import { ProviderRequest } from './provider-request.js';
import { Payer, ProviderResponse } from './provider-response.js';
import { QuoteResolver } from './quote-resolver.js';
import { Quote, QuoteItem } from './quote-values.js';
import { Refund } from './refund.js';
import { EntryRefunds, RefundResolver, RegistrationRefunds } from './refund-resolver.js';
import { SanctionSetup } from './sanction-setup.js';

/** Invoices, payments, discount codes and their setup (sections 2.4 and 4.2). */
export const checkout = module({
  name: 'checkout',
  description: 'Invoices with their items and payments, discount codes, payment providers, sanctions and ratings.',
  records: [
    DiscountCode,
    Invoice,
    InvoiceItem,
    Payment,
    PaymentSetup,
    MerchantLink,
    ProviderRequest,
    ProviderResponse,
    SanctionSetup,
  ],
  values: [
    RedirectPayment,
    CustomPayment,
    PayLater,
    CheckPayment,
    ProviderOneAccount,
    ProviderTwoAccount,
    Payer,
    GoverningBodyTerms,
    InvoiceAmount,
    Refund,
    Quote,
    QuoteItem,
  ],
  resolvers: [
    InvoiceResolver,
    InvoiceItemResolver,
    CheckoutResolver,
    QuoteResolver,
    EntryRefunds,
    RegistrationRefunds,
    RefundResolver,
    LeagueViewer,
    ...moduleRelations,
  ],
});
