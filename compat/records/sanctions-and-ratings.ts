import { camelExcept, record } from '../engine/index.js';

/** GraphQL paths of governing bodies, keyed by the suffix of their legacy names, in the order of section 2.4. */
const bodies = {
  Pco: 'pco',
  Ssipa: 'ssipa',
  Usap: 'usap',
  Wpf: 'wpf',
  Gpa: 'gpa',
  Paa: 'paa',
  Ppa: 'ppa',
  LifeTime: 'lifeTime',
  App: 'app',
};

const levels = Object.entries(bodies).flatMap(([body, path]) => [
  [`sanctionLevelAppovedStatus${body}`, `${path}.status`],
  [`sanctionLevelAppovedComments${body}`, `${path}.comments`],
  [`sanctionLevelAppovedByFullName${body}`, `${path}.approvedBy`],
  [`sanctionLevelId${body}`, `${path}.levelId`],
  [`sanctionLevelDateAppoved${body}`, `${path}.approvedAt`],
]);

/**
 * GraphQL paths of membership flags and fees, keyed by legacy name. The legacy names are irregular, and some governing bodies do not have
 * all of these fields.
 */
const membership = {
  onlyAllowSsipamember: 'ssipa.isMembersOnly',
  onlyAllowSsipamemberOnlyCertainEvents: 'ssipa.isForSomeEventsOnly',
  onlyAllowSsipamemberAllowNonMemberAddAdditionalFee: 'ssipa.admitsOthersForFee',
  onlyAllowSsipamemberNonMemberAdditionalFee: 'ssipa.additionalFee',
  onlyAllowUsapamember: 'usap.isMembersOnly',
  onlyAllowWpfmember: 'wpf.isMembersOnly',
  onlyAllowGpamember: 'gpa.isMembersOnly',
  onlyAllowGpamemberAllowNonMemberAddAdditionalFee: 'gpa.admitsOthersForFee',
  onlyAllowGpamemberNonMemberAdditionalFee: 'gpa.additionalFee',
  onlyAllowPaamember: 'paa.isMembersOnly',
  onlyAllowPaamemberAllowNonMemberAddAdditionalFee: 'paa.admitsOthersForFee',
  onlyAllowPaamemberNonMemberAdditionalFee: 'paa.additionalFee',
  onlyAllowPpamember: 'ppa.isMembersOnly',
  onlyAllowPpaMemberAllowNonMemberAddAdditionalFee: 'ppa.admitsOthersForFee',
  onlyAllowPpaMemberNonMemberAdditionalFee: 'ppa.additionalFee',
  onlyAllowLifeTimeMember: 'lifeTime.isMembersOnly',
  onlyAllowAllowNonMemberAddAdditionalFeeLifeTime: 'lifeTime.admitsOthersForFee',
  onlyAllowNonMemberAdditionalFeeLifeTime: 'lifeTime.additionalFee',
  onlyAllowAppMember: 'app.isMembersOnly',
  onlyAllowAppMemberAllowNonMemberAddAdditionalFee: 'app.admitsOthersForFee',
  onlyAllowAppMemberNonMemberAdditionalFee: 'app.additionalFee',
  onlyAllowUsapMemberAllowNonMemberAddAdditionalFee: 'usap.admitsOthersForFee',
  onlyAllowUsapMemberNonMemberAdditionalFee: 'usap.additionalFee',
};

const byBody = { ...Object.fromEntries(levels), ...membership };

export const sanctionAndRatings = record('SanctionAndRatings', {
  type: 'SanctionSetup',
  input: 'SanctionSetupInput',
  fields: `sanctionAndRatingsId moduleFor moduleId useSeniorAndU50 isClubMembersOnly countGamesTowardClubRatings rating1stChoice
    rating2ndChoice rating3rdChoice rating4thChoice onlyAllowCanadaMember ${Object.keys(byBody).join(' ')}`,
  keys: camelExcept({ moduleFor: 'moduleType' }),
  paths: {
    sanctionAndRatingsId: 'id',
    useSeniorAndU50: 'usesSeniorAndUnder50',
    countGamesTowardClubRatings: 'countsTowardClubRatings',
    rating1stChoice: 'firstRating',
    rating2ndChoice: 'secondRating',
    rating3rdChoice: 'thirdRating',
    rating4thChoice: 'fourthRating',
    onlyAllowCanadaMember: 'pco.isMembersOnly',
    ...byBody,
  },
});
