import { module } from '../../kernel/serve/module.js';
import { AuditedCurrency } from './audit/audited-currency.js';
import { DiscountCode } from './discounts/discount-code.js';
import { CheckoutResolver } from './invoices/checkout-resolver.js';
import { Invoice, InvoiceAmount } from './invoices/invoice.js';
import { InvoiceItem } from './invoices/invoice-item.js';
import { InvoiceItemResolver } from './invoices/invoice-item-resolver.js';
import { InvoiceResolver } from './invoices/invoice-resolver.js';
import { LeagueViewer } from './invoices/league-viewer.js';
import { MerchantLink, ProviderOneAccount, ProviderTwoAccount } from './payments/merchant-link.js';
import { Payment } from './payments/payment.js';
import { ProviderRequest } from './payments/provider-request.js';
import { Payer, ProviderResponse } from './payments/provider-response.js';
import { QuoteResolver } from './quotes/quote.js';
import { Quote, QuoteItem } from './quotes/quote-values.js';
import { EntryRefunds, Refund, RefundResolver, RegistrationRefunds } from './refunds/refund.js';
import { moduleRelations } from './setup/module-relations.js';
import { CheckPayment, CustomPayment, PayLater, PaymentSetup, RedirectPayment } from './setup/payment-setup.js';
import { GoverningBodyTerms, SanctionSetup } from './setup/sanction-setup.js';

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
    AuditedCurrency,
    ...moduleRelations,
  ],
});
