import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { metaOf, type RecordClass } from '../../../src/kernel/declare/meta.js';
import { permittedCallers, policiesOf } from '../../../src/kernel/declare/policy/policy.js';
import { mayLackDescription } from './repeated-descriptions.js';

/** An element of a schema that can have a description, with its path: `Team.seed`, `Query.teams(first)`. */
interface Described {
  path: string;
  description: string | null | undefined;
}

/** Returns all elements of a schema that can have a description. */
export const describedOf = (schema: GraphQLSchema): Described[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
    .flatMap((type): Described[] => {
      const own = { path: type.name, description: type.description };
      if (isEnumType(type)) return [own, ...type.getValues().map(at(type.name))];
      if (isInputObjectType(type)) return [own, ...Object.values(type.getFields()).map(at(type.name))];
      if (!isObjectType(type) && !isInterfaceType(type)) return [own];
      const fields = Object.values(type.getFields());
      return [
        own,
        ...fields.map(at(type.name)),
        ...fields.flatMap(({ name, args }) =>
          args.map((arg) => ({ path: `${type.name}.${name}(${arg.name})`, description: arg.description })),
        ),
      ];
    });

const at =
  (type: string) =>
  ({ name, description }: { name: string; description?: string | null | undefined }): Described => ({
    path: `${type}.${name}`,
    description,
  });

/** Returns a text without its URLs and without the content of its code spans. */
const prose = (text: string): string => text.replace(/`[^`]*`/g, '``').replace(/https?:\S+/g, '');

/** Words that start with a vowel but take `a`, and words that take `an` although they start with a consonant. */
const soundsLikeConsonant = /^(?:one|once|u(?:ni(?!n|m)|se|su|ti|s\b|r[il]|uid|tc)|eu)/i;
const soundsLikeVowel = /^(?:hour|honest|honor|heir|HTML|HTTP|SMS|MLP|RSS|XML|8|11\b|18\b)/;
const startsWithVowelSound = (word: string): boolean =>
  soundsLikeVowel.test(word) || (/^[aeiou]/i.test(word) && !soundsLikeConsonant.test(word));

const wrongArticle = (text: string): boolean =>
  [...text.replaceAll('`', '').matchAll(/\b(an?) ([\w'-]{2,})/gi)].some(
    ([, article = '', word = '']) => (article.toLowerCase() === 'an') !== startsWithVowelSound(word),
  );

/** Checks of a description, keyed by error message. A check returns true if the description has the error. */
const rules: Readonly<Record<string, (text: string) => boolean>> = {
  'starts with a lowercase letter': (text) => !/^[A-Z0-9`"“]/.test(text),
  'does not end with a period': (text) => !/[.)]$/.test(text),
  'has the wrong article': wrongArticle,
  'has a name outside backticks': (text) => /\b[a-z]+[A-Z]\w*/.test(prose(text)),
  'cites a section or a decision': (text) => /§|\b(?:sections?|decisions?|chapters?) \d/i.test(text),
  'repeats a word': (text) => /\b(\w+) \1\b/i.test(prose(text)),
};

/** Returns the missing descriptions and the language errors in the descriptions of a schema. */
export const descriptionErrorsOf = (schema: GraphQLSchema): string[] =>
  describedOf(schema).flatMap(({ path, description }) => {
    if (!description?.trim()) {
      const [, type = '', member = '', argument] = /^(\w+)\.(\w+)(?:\((\w+)\))?$/.exec(path) ?? [];
      return mayLackDescription(schema, type, member, argument) ? [] : [`${path} is not described`];
    }
    return Object.entries(rules).flatMap(([name, isBroken]) =>
      isBroken(description) ? [`${path} ${name}: ${description}`] : [],
    );
  });

/** Returns the private fields with descriptions that do not name the permitted readers. */
export const undescribedPrivateFields = (schema: GraphQLSchema, records: readonly RecordClass[]): string[] =>
  records.flatMap((cls) =>
    [...metaOf(cls).fields.values()].flatMap((field) => {
      const type = schema.getType(cls.name);
      const shown = isObjectType(type) ? type.getFields()[field.name] : undefined;
      return field.private && shown && !/shown to|visible to|null to others/i.test(shown.description ?? '')
        ? [`${cls.name}.${field.name}`]
        : [];
    }),
  );

/** Returns the fields with restricted access and descriptions that do not name the permitted callers. */
export const undescribedRestrictedFields = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap(({ name, extensions, description }) => {
          const policies = policiesOf(extensions);
          return policies && !description?.includes(`For: ${permittedCallers(policies)}`) ? [`${type.name}.${name}`] : [];
        })
      : [],
  );

const checkouts = 'platforms store their checkout transactions';
const provider = 'the payment provider stores it';
const levels = 'platforms store the levels at which they and governing bodies sanction';
const answers = 'platforms store their registration forms and the answers';
const leagues = 'platforms store it, and also send its title';
const matches = 'platforms store the matches';

/** Fields that contain IDs of records in other systems, with the reason why the graph has no relation for each. */
export const outsideIds: Readonly<Record<string, string>> = {
  'Game.courtId': 'platforms store the courts',
  'GoverningBodyApproval.sanctionLevelId': levels,
  'GoverningBodyTerms.levelId': levels,
  'InvoiceItem.activitySplitId': 'platforms store how they split payments',
  'InvoiceItem.answerFieldId': answers,
  'InvoiceItem.answerId': answers,
  'InvoiceItem.answerItemId': answers,
  'InvoiceItem.merchandiseId': 'platforms store their merchandise',
  'InvoiceItem.transactionId': checkouts,
  'League.locationId': 'platforms store it, and also send its address',
  'League.playerTypeId': leagues,
  'League.sessionId': 'platforms store it, and also send its number',
  'League.typeId': leagues,
  'Payer.accountId': provider,
  'Payment.transactionId': checkouts,
  'Pregame.matchId': matches,
  'Prematch.matchId': matches,
  'ProviderRequest.transactionId': checkouts,
  'ProviderResponse.providerTransactionId': provider,
  'ProviderResponse.receiverId': provider,
  'ProviderResponse.transactionId': checkouts,
  'ProviderTwoAccount.merchantId': provider,
  'RankingPoints.lastMatchId': matches,
  'Tournament.clubSanctionLevelId': levels,
};

/** Whether a field is a relation to the record that the ID field `id` identifies, according to its foreign key or its name. */
function isRelationOf(id: string, { name, type, extensions }: GraphQLField<unknown, unknown>): boolean {
  const namedType = getNamedType(type);
  const isRecord =
    isAbstractType(namedType) ||
    (isObjectType(namedType) &&
      (namedType.extensions.connection === true || namedType.getInterfaces().some((one) => one.name === 'Node')));
  const [, one = '', many] = /^(.+)Id(s?)$/.exec(id) ?? [];
  return isRecord && (extensions.foreignKey === id || name === one + many);
}

/** Whether a field, such as `deletedTeamIds`, contains IDs of deleted records. No relation can return these records. */
function namesDeleted(schema: GraphQLSchema, id: string): boolean {
  const type = schema.getType(/^deleted(\w+)Ids$/.exec(id)?.[1] ?? '');
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}

/**
 * Returns errors for ID fields that have no relation and are not in `outside`, and for entries of `outside` that no longer apply. Ignores
 * legacy values and IDs of deleted records.
 */
export function unrelatedIdsOf(schema: GraphQLSchema, outside: Readonly<Record<string, string>>): string[] {
  const ids = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__') && !type.extensions.isLegacy
      ? Object.values(type.getFields())
          .filter(({ name }) => /.Ids?$/.test(name) && name !== 'nodeId' && !namesDeleted(schema, name))
          .map((field) => ({ path: `${type.name}.${field.name}`, type, field }))
      : [],
  );
  const idPaths = new Set(ids.map(({ path }) => path));
  const outdatedEntries = Object.keys(outside).filter((path) => !idPaths.has(path));
  return [
    ...outdatedEntries.map((path) => `${path} is listed, but does not exist`),
    ...ids.flatMap(({ path, type, field }) => {
      const leads = Object.values(type.getFields()).some((other) => isRelationOf(field.name, other));
      if (!outside[path]) return leads ? [] : [`${path} has no relation`];
      if (leads) return [`${path} is listed, but has a relation`];
      return field.description?.includes('Not an ID in this graph')
        ? []
        : [`${path} is not described as "Not an ID in this graph"`];
    }),
  ];
}
