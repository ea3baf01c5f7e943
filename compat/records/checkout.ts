import { asNumber, camelExcept, record, sameForFields } from '../engine/index.js';

export { sanctionAndRatings } from './sanctions-and-ratings.js';

/** GraphQL paths of fields that most checkout records have. */
const commonPaths = {
  moduleFor: 'moduleType',
  attendeeHeaderId: 'registrationId',
  dateCreated: 'reported.createdAt',
  createdByFullName: 'reported.createdBy',
  dateUpdated: 'reported.updatedAt',
  updatedByFullName: 'reported.updatedBy',
  serverMachineName: 'machineName',
};

export const discountCode = record('DiscountCodeRecord', {
  type: 'DiscountCode',
  input: 'DiscountCodeInput',
  fields: `discountCodeId moduleFor moduleId discountCodeTypeId title code useCodeFromOutsideSource everythingFree costDiscount numberIssued
    dateActive dateExpire canBeUsedOnRegistration canBeUsedOnMerchandise canBeUsedOnSpectator dateCreated createdByFullName dateUpdated
    updatedByFullName dateDisabled disabledByFullName`,
  keys: camelExcept({
    ...commonPaths,
    discountCodeId: 'id',
    discountCodeTypeId: 'type',
    useCodeFromOutsideSource: 'isFromOutside',
    everythingFree: 'coversEverything',
    costDiscount: 'discount',
    numberIssued: 'issued',
    dateActive: 'startsAt',
    dateExpire: 'expiresAt',
    canBeUsedOnRegistration: 'appliesToRegistration',
    canBeUsedOnMerchandise: 'appliesToMerchandise',
    canBeUsedOnSpectator: 'appliesToSpectators',
    dateDisabled: 'disabledAt',
    disabledByFullName: 'disabledBy',
  }),
});

export const invoiceHeader = record('InvoiceHeader', {
  type: 'Invoice',
  input: 'InvoiceInput',
  fields: `invoiceHeaderId invoiceHeaderIdInt moduleFor moduleId clubId userId attendeeHeaderId dateCreated createdByFullName dateUpdated
    updatedByFullName feePlanPbMerchantAdditionalCostId`,
  owner: 'userId',
  keys: camelExcept({
    ...commonPaths,
    invoiceHeaderId: 'id',
    invoiceHeaderIdInt: 'number',
    feePlanPbMerchantAdditionalCostId: 'feePlan',
  }),
});

export const invoiceItem = record('InvoiceItemRecord', {
  type: 'InvoiceItem',
  input: 'InvoiceItemInput',
  fields: `invoiceItemId invoiceHeaderId transactionId itemType attendeeEventId eventId eventIdMergedFrom merchandiseId discountCodeId
    attendeeUserDefinedId userDefinedFieldId userDefinedItemId isServiceFee isAdditionalActivityFee title description transactionNote
    unitPrice numberOfUnits didActivityTitleChangeAfterRegistration dateCreated createdByFullName isSsipaMemberAutoDiscount
    isGpaMemberAutoDiscount activitySplitId isPlatformServiceFeePaid unitPriceInUsd currencyPaidIn exchangeRateAtTimeOfInvoice`,
  keys: camelExcept({
    ...commonPaths,
    invoiceItemId: 'id',
    itemType: 'type',
    invoiceHeaderId: 'invoiceId',
    attendeeEventId: 'eventRegistrationId',
    eventIdMergedFrom: 'mergedFromEventId',
    attendeeUserDefinedId: 'answerId',
    userDefinedFieldId: 'answerFieldId',
    userDefinedItemId: 'answerItemId',
    transactionNote: 'note',
    numberOfUnits: 'units',
    didActivityTitleChangeAfterRegistration: 'hasNewTitle',
    isSsipaMemberAutoDiscount: 'isSsipaDiscount',
    isGpaMemberAutoDiscount: 'isGpaDiscount',
    isPlatformServiceFeePaid: 'isPlatformFeePaid',
    currencyPaidIn: 'currency',
    exchangeRateAtTimeOfInvoice: 'exchangeRate',
  }),
});

export const invoicePayment = record('InvoicePayment', {
  type: 'Payment',
  input: 'PaymentInput',
  fields: `invoicePaymentId requestId responseId invoiceHeaderId attendeeHeaderId transactionId paymentMethodId paymentAmount paymentMemo
    datePaid isRefund dateCreated createdByFullName siteAreaCollectedFrom isReversed didUseFeePlanPbmerchantAdditionalCost`,
  keys: camelExcept({
    ...commonPaths,
    invoicePaymentId: 'id',
    invoiceHeaderId: 'invoiceId',
    paymentMethodId: 'method',
    paymentAmount: 'amount',
    paymentMemo: 'memo',
    datePaid: 'paidAt',
    siteAreaCollectedFrom: 'collectedFrom',
    didUseFeePlanPbmerchantAdditionalCost: 'usedAdditionalCost',
  }),
});

export const paymentActivatedMethod = record('PaymentActivatedMethod', {
  type: 'PaymentSetup',
  input: 'PaymentSetupInput',
  fields: `paymentActivatedMethodId moduleFor moduleId clubId providerOneActive providerTwoActive onsiteActive redirectActive redirectUrl
    redirectTitle customActive customTitle customContent pbmerchantAdditionalCostActive payLaterActive payLaterDeadlineDate
    pbmerchantCheckPayableTo pbmerchantCheckAddressAttName pbmerchantCheckAddress1 pbmerchantCheckAddress2 pbmerchantCheckCountryId
    pbmerchantCheckStateId pbmerchantCheckZip pbmerchantCheckCity`,
  keys: camelExcept({
    ...commonPaths,
    paymentActivatedMethodId: 'id',
    providerOneActive: 'acceptsProviderOne',
    providerTwoActive: 'acceptsProviderTwo',
    onsiteActive: 'acceptsOnsite',
    redirectActive: 'redirect.isEnabled',
    redirectUrl: 'redirect.url',
    redirectTitle: 'redirect.title',
    customActive: 'custom.isEnabled',
    customTitle: 'custom.title',
    customContent: 'custom.content',
    pbmerchantAdditionalCostActive: 'chargesAdditionalCost',
    payLaterActive: 'payLater.isEnabled',
    payLaterDeadlineDate: 'payLater.deadline',
    pbmerchantCheckPayableTo: 'check.payableTo',
    pbmerchantCheckAddressAttName: 'check.attention',
    pbmerchantCheckAddress1: 'check.addressLine1',
    pbmerchantCheckAddress2: 'check.addressLine2',
    pbmerchantCheckCountryId: 'check.countryId',
    pbmerchantCheckStateId: 'check.stateId',
    pbmerchantCheckZip: 'check.zip',
    pbmerchantCheckCity: 'check.city',
  }),
  as: { ...sameForFields('pbmerchantCheckCountryId pbmerchantCheckStateId', asNumber) },
});

export const paymentMerchantApiLink = record('PaymentMerchantApiLink', {
  type: 'MerchantLink',
  input: 'MerchantLinkInput',
  fields: `paymentMerchantApiLinkId moduleFor moduleId providerOneActive providerOneEmailOrMerchantId providerOneEmailOrMerchantId2
    providerTwoActive providerTwoUserId providerTwoEmail providerTwoScope providerTwoAccountType dateCreated createdByFullName dateUpdated
    updatedByFullName`,
  keys: camelExcept({
    ...commonPaths,
    paymentMerchantApiLinkId: 'id',
    providerOneActive: 'providerOne.isEnabled',
    providerOneEmailOrMerchantId: 'providerOne.account',
    providerOneEmailOrMerchantId2: 'providerOne.secondAccount',
    providerTwoActive: 'providerTwo.isEnabled',
    providerTwoUserId: 'providerTwo.merchantId',
    providerTwoEmail: 'providerTwo.email',
    providerTwoScope: 'providerTwo.scope',
    providerTwoAccountType: 'providerTwo.accountType',
  }),
});

export const providerOneRequest = record('ProviderOneRequest', {
  type: 'ProviderRequest',
  input: 'ProviderRequestInput',
  fields: `requestId attendeeHeaderId transactionId moduleFor userId totalAmount acceptedPaymentProviderOneEmailOrMerchantId
    acceptedPaymentProviderOneRedirectIpn currencyCode isTest dateCreated createdByFullName tourneyCheckoutVersion systemInvoiceHeaderId
    acceptedPaymentProviderOneEmailOrMerchantId2 moduleId serverMachineName`,
  owner: 'userId',
  keys: camelExcept({
    ...commonPaths,
    requestId: 'id',
    acceptedPaymentProviderOneEmailOrMerchantId: 'payeeAccount',
    acceptedPaymentProviderOneRedirectIpn: 'notificationUrl',
    currencyCode: 'currency',
    tourneyCheckoutVersion: 'checkoutVersion',
    systemInvoiceHeaderId: 'invoiceId',
    acceptedPaymentProviderOneEmailOrMerchantId2: 'secondPayeeAccount',
  }),
});

export const providerOneResponse = record('ProviderOneResponse', {
  type: 'ProviderResponse',
  input: 'ProviderResponseInput',
  fields: `responseId dateIpnResponse requestId transactionId response validationMsg uiValidationStatus webUiPage city country countryCode
    state addressStatus address zip firstName lastName payerBusinessName payerEmail payerId payerStatus payerPhone business itemName
    itemNumber quantity receiverEmail receiverId customMsg memo invoice tax qtyCartItems paymentDate paymentStatus paymentType pendingReason
    txnId txnType paymentFee paymentGross notifyVersion verifySign dateCreated createdByFullName serverMachineName`,
  keys: camelExcept({
    ...commonPaths,
    responseId: 'id',
    dateIpnResponse: 'receivedAt',
    response: 'body',
    validationMsg: 'validationMessage',
    uiValidationStatus: 'validationStatus',
    webUiPage: 'page',
    paymentDate: 'paymentTime',
    city: 'payer.city',
    country: 'payer.country',
    countryCode: 'payer.countryCode',
    state: 'payer.state',
    addressStatus: 'payer.addressStatus',
    address: 'payer.address',
    zip: 'payer.zip',
    firstName: 'payer.firstName',
    lastName: 'payer.lastName',
    payerBusinessName: 'payer.businessName',
    payerEmail: 'payer.email',
    payerId: 'payer.accountId',
    payerStatus: 'payer.accountStatus',
    payerPhone: 'payer.phone',
    customMsg: 'customMessage',
    invoice: 'invoiceNumber',
    qtyCartItems: 'cartItems',
    txnId: 'providerTransactionId',
    txnType: 'providerTransactionType',
    paymentFee: 'fee',
    paymentGross: 'gross',
    verifySign: 'signature',
  }),
});
