import { Migration } from '@mikro-orm/migrations';
import { auditWrites, logChanges, reported, tracked } from './shared.js';

/** Columns that identify the record to pay for. Platforms send titles of module types, in singular or plural. */
const paidModule = `module_type text, -- Tournaments, Leagues, Clubs or Clinics, as sent by the platform
        module_id text`;

/** Columns with the terms of a governing body for a sanction: level, approval and eligible participants. */
const sanctionBy = (body: string): string => `${body}_level_id text, ${body}_status text, ${body}_comments text,
        ${body}_approved_by text, ${body}_approved_at timestamptz,
        ${body}_is_members_only boolean not null default false, ${body}_is_for_some_events_only boolean not null default false,
        ${body}_admits_others_for_fee boolean not null default false, ${body}_additional_fee numeric`;
const governingBodies = ['app', 'gpa', 'life_time', 'paa', 'pco', 'ppa', 'ssipa', 'usap', 'wpf'];

/** Creates the tables of discount codes, invoices, payments and their settings. */
export class Baseline0011Checkout extends Migration {
  override up(): void {
    this.createDiscountCodes();
    this.createInvoices();
    this.createPayments();
    this.createProviderMessages();
    this.createSetups();
  }

  private createDiscountCodes(): void {
    this.addSql(`
      create table discount_code (
        id text primary key,
        ${paidModule},
        type double precision, -- 1 amount, 2 everything is free
        title text,
        code text, -- compared without regard to case, unless several codes differ only in case
        is_from_outside boolean not null default false,
        covers_everything boolean not null default false,
        discount numeric, -- amount in the currency of the checkout
        issued text, -- maximum number of uses, a number as text
        starts_at timestamptz,
        expires_at timestamptz,
        applies_to_registration boolean not null default false,
        applies_to_merchandise boolean not null default false,
        applies_to_spectators boolean not null default false,
        ${reported},
        disabled_at timestamptz,
        disabled_by text, -- name, as sent by the platform
        disabled_by_id text,
        ${tracked}
      );
      create index discount_code_module_id_idx on discount_code (module_id, id);
      create index discount_code_created_at_idx on discount_code (created_at desc nulls last, id);
      create index discount_code_code_idx on discount_code (nfc(code), id);
      create index discount_code_code_unaccent_lower_idx on discount_code (unaccent_lower(nfc(code)), id);
      ${auditWrites('discount_code', 'DiscountCode', 'moduleId', 'coversEverything', 'discount', 'issued', 'startsAt', 'expiresAt', 'disabledAt')};
      ${logChanges('discount_code', 'DiscountCode')};
    `);
  }

  private createInvoices(): void {
    this.addSql(`
      create table invoice (
        id text primary key,
        number text, -- for display. Each platform defines its own numbers
        ${paidModule},
        club_id text,
        user_id text, -- payer
        registration_id text,
        ${reported},
        withdrawn_at timestamptz, -- last withdrawal of an item. Payments above the remaining total are refunded
        fee_plan double precision, -- plan for additional merchant fees. Each platform defines its own numbers
        ${tracked}
      );
      create index invoice_module_id_idx on invoice (module_id, id);
      create index invoice_club_id_idx on invoice (club_id, id);
      create index invoice_user_id_idx on invoice (user_id, id);
      create index invoice_registration_id_idx on invoice (registration_id, id);
      create index invoice_created_at_idx on invoice (created_at desc nulls last, id);
      ${auditWrites('invoice', 'Invoice', 'userId', 'moduleId', 'clubId', 'registrationId')};
      ${logChanges('invoice', 'Invoice', 'user_id')};
    `);
    // The platform defines the IDs of transactions, merchandise, answers and splits.
    this.addSql(`
      create table invoice_item (
        id text primary key,
        invoice_id text,
        transaction_id text,
        type text, -- Event, Registration, Fee, Merchandise or Discount
        event_registration_id text,
        event_id text,
        merged_from_event_id text, -- event that was merged into event_id
        merchandise_id text,
        discount_code_id text,
        answer_id text, answer_field_id text, answer_item_id text,
        is_service_fee boolean not null default false,
        is_additional_activity_fee boolean not null default false,
        title text,
        description text,
        note text,
        unit_price numeric, -- in the currency of the row
        units double precision, -- may have fractions
        has_new_title boolean not null default false, -- the title of the activity changed after the registration
        ${reported},
        is_ssipa_discount boolean not null default false,
        is_gpa_discount boolean not null default false,
        refund_requested_at timestamptz, -- platforms decline the refund by setting null
        withdrawn_at timestamptz, -- a withdrawn item is not owed, even if its refund is declined
        activity_split_id text,
        is_platform_fee_paid boolean not null default false,
        unit_price_in_usd numeric,
        currency text, -- ISO 4217, in any case
        exchange_rate numeric, -- to US dollars, when the invoice was created
        ${tracked}
      );
      create index invoice_item_invoice_id_idx on invoice_item (invoice_id, id);
      create index invoice_item_transaction_id_idx on invoice_item (transaction_id, id);
      create index invoice_item_event_registration_id_idx on invoice_item (event_registration_id, id);
      create index invoice_item_event_id_idx on invoice_item (event_id, id);
      create index invoice_item_discount_code_id_idx on invoice_item (discount_code_id, id);
      create index invoice_item_created_at_idx on invoice_item (created_at desc nulls last, id);
      create index invoice_item_refund_idx on invoice_item (refund_requested_at) where refund_requested_at is not null;
      create index invoice_item_currency_idx on invoice_item (invoice_id, upper(currency)) where currency <> '';
      ${auditWrites('invoice_item', 'InvoiceItem', 'invoiceId', 'discountCodeId', 'unitPrice', 'units', 'currency', 'exchangeRate', 'refundRequestedAt')};
      ${logChanges('invoice_item', 'InvoiceItem', 'invoice_id')};
    `);
  }

  private createPayments(): void {
    this.addSql(`
      create table payment (
        id text primary key,
        request_id text,
        response_id text,
        invoice_id text,
        registration_id text,
        transaction_id text, -- in the checkout, the same as in the provider request and response
        method double precision, -- 1 provider one, 2 provider two, 3 on site, 4 check, 5 other website, 6 custom
        amount numeric, -- in the currency of the invoice
        memo text,
        paid_at timestamptz,
        is_refund boolean not null default false, -- reduces the paid amount
        ${reported},
        collected_from text,
        is_reversed boolean not null default false, -- reversed payments do not count
        used_additional_cost boolean not null default false,
        ${tracked}
      );
      create index payment_request_id_idx on payment (request_id, id);
      create index payment_response_id_idx on payment (response_id, id);
      create index payment_invoice_id_idx on payment (invoice_id, id);
      create index payment_registration_id_idx on payment (registration_id, id);
      create index payment_transaction_id_idx on payment (transaction_id, id);
      create index payment_created_at_idx on payment (created_at desc nulls last, id);
      ${auditWrites('payment', 'Payment', 'invoiceId', 'registrationId', 'amount', 'method', 'paidAt', 'isRefund', 'isReversed')};
      ${logChanges('payment', 'Payment', 'invoice_id')};
    `);
  }

  /** Creates the tables of requests to payment providers, and of their unmodified notifications. */
  private createProviderMessages(): void {
    this.addSql(`
      create table provider_request (
        id text primary key,
        provider text not null default 'PROVIDER_ONE', -- PROVIDER_ONE or PROVIDER_TWO
        superseded_at timestamptz, -- replaced by another checkout or a withdrawal. The amount must no longer be collected
        registration_id text,
        transaction_id text,
        module_type text,
        user_id text,
        total_amount text, -- a number as text, in currency
        payee_account text,
        notification_url text,
        currency text, -- ISO 4217
        is_test boolean not null default false,
        ${reported},
        checkout_version double precision,
        invoice_id text,
        second_payee_account text,
        module_id text,
        machine_name text, -- host that sent the request
        ${tracked}
      );
      create index provider_request_registration_id_idx on provider_request (registration_id, id);
      create index provider_request_transaction_id_idx on provider_request (transaction_id, id);
      create index provider_request_user_id_idx on provider_request (user_id, id);
      create index provider_request_invoice_id_idx on provider_request (invoice_id, id);
      create index provider_request_module_id_idx on provider_request (module_id, id);
      create index provider_request_created_at_idx on provider_request (created_at desc nulls last, id);
      ${logChanges('provider_request', 'ProviderRequest')};
    `);
    this.addSql(`
      create table provider_response (
        id text primary key,
        received_at timestamptz,
        request_id text,
        transaction_id text,
        body text, -- raw response
        validation_message text,
        validation_status text, -- VERIFIED or INVALID
        page text,
        payer_city text, payer_country text, payer_country_code text, payer_state text,
        payer_address_status text, -- confirmed or unconfirmed
        payer_address text, payer_zip text,
        payer_first_name text, payer_last_name text, payer_business_name text, payer_email text,
        payer_account_id text,
        payer_account_status text, -- verified or unverified
        payer_phone text,
        -- Numbers and amounts are stored as text, as the provider sent them. Amounts are in the currency of the request.
        business text,
        item_name text, item_number text, quantity text,
        receiver_email text,
        receiver_id text,
        custom_message text, -- data of the platform, passed through by the provider
        memo text,
        invoice_number text,
        tax text, cart_items text,
        payment_time text, -- format of the provider, such as 10:12:59 Mar 04, 2026 PST
        payment_status text, -- such as Pending, Completed, Denied or Refunded
        payment_type text, -- instant or echeck
        pending_reason text,
        provider_transaction_id text,
        provider_transaction_type text,
        fee text, gross text,
        notify_version text,
        signature text,
        ${reported},
        machine_name text,
        ${tracked}
      );
      create index provider_response_request_id_idx on provider_response (request_id, id);
      create index provider_response_transaction_id_idx on provider_response (transaction_id, id);
      create index provider_response_created_at_idx on provider_response (created_at desc nulls last, id);
      ${logChanges('provider_response', 'ProviderResponse')};
    `);
  }

  private createSetups(): void {
    // Accounts at the payment providers.
    this.addSql(`
      create table merchant_link (
        id text primary key,
        ${paidModule},
        provider_one_is_enabled boolean not null default false, provider_one_account text, provider_one_second_account text,
        provider_two_is_enabled boolean not null default false, provider_two_merchant_id text, provider_two_email text,
        provider_two_scope text, -- permissions of the platform for the account
        provider_two_account_type text, -- standard, express or custom
        ${reported},
        ${tracked}
      );
      create index merchant_link_module_id_idx on merchant_link (module_id, id);
      create index merchant_link_created_at_idx on merchant_link (created_at desc nulls last, id);
      ${auditWrites('merchant_link', 'MerchantLink', 'moduleId', 'providerOne.isEnabled', 'providerTwo.isEnabled')};
      ${logChanges('merchant_link', 'MerchantLink')};
    `);
    this.addSql(`
      create table payment_setup (
        id text primary key,
        ${paidModule},
        club_id text,
        accepts_provider_one boolean not null default false, accepts_provider_two boolean not null default false,
        accepts_onsite boolean not null default false,
        redirect_is_enabled boolean not null default false, redirect_url text, redirect_title text,
        custom_is_enabled boolean not null default false, custom_title text, custom_content text,
        charges_additional_cost boolean not null default false,
        pay_later_is_enabled boolean not null default false, pay_later_deadline timestamptz,
        check_payable_to text, check_attention text,
        check_address_line1 text, check_address_line2 text,
        check_country_id text, check_state_id text, check_zip text, check_city text,
        ${tracked}
      );
      create index payment_setup_module_id_idx on payment_setup (module_id, id);
      create index payment_setup_club_id_idx on payment_setup (club_id, id);
      create index payment_setup_created_at_idx on payment_setup (created_at desc nulls last, id);
      ${auditWrites('payment_setup', 'PaymentSetup', 'moduleId', 'clubId', 'acceptsProviderOne', 'acceptsProviderTwo', 'acceptsOnsite')};
      ${logChanges('payment_setup', 'PaymentSetup')};
    `);
    // The platforms define the levels. Statuses are Pending, Approved, Denied or Canceled. The currency of the fee is unspecified.
    this.addSql(`
      create table sanction_setup (
        id text primary key,
        ${paidModule},
        uses_senior_and_under50 boolean not null default false,
        is_club_members_only boolean not null default false,
        counts_toward_club_ratings boolean not null default false,
        -- Preferred rating, and its fallbacks for players without that rating.
        first_rating text, second_rating text, third_rating text, fourth_rating text,
        ${governingBodies.map(sanctionBy).join(',\n        ')},
        ${tracked}
      );
      create index sanction_setup_module_id_idx on sanction_setup (module_id, id);
      create index sanction_setup_created_at_idx on sanction_setup (created_at desc nulls last, id);
      ${logChanges('sanction_setup', 'SanctionSetup')};
    `);
  }
}
