import {
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { policiesOf, whoOf } from '../../src/kernel/declare/policy.js';

/** Something of a schema that has a description, by its path: `Team.seed`, `Query.teams(first)`. */
interface Described {
  path: string;
  description: string | null | undefined;
}

/** Everything of a schema that has to say what it is. */
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

/** A text without what is code in it, which has an English of its own. */
const prose = (text: string): string => text.replace(/`[^`]*`/g, '``').replace(/https?:\S+/g, '');

/** Words that begin with a vowel and sound otherwise, and the other way round. */
const soundsLikeConsonant = /^(?:one|once|u(?:ni(?!n|m)|se|su|ti|s\b|r[il]|uid|tc)|eu)/i;
const soundsLikeVowel = /^(?:hour|honest|honor|heir|HTML|HTTP|SMS|MLP|RSS|XML|8|11\b|18\b)/;
const startsWithVowelSound = (word: string): boolean =>
  soundsLikeVowel.test(word) || (/^[aeiou]/i.test(word) && !soundsLikeConsonant.test(word));

const wrongArticle = (text: string): boolean =>
  [...text.replaceAll('`', '').matchAll(/\b(an?) ([\w'-]{2,})/gi)].some(
    ([, article = '', word = '']) => (article.toLowerCase() === 'an') !== startsWithVowelSound(word),
  );

/** What is wrong with the English of a description, by the name of the rule. */
const rules: Readonly<Record<string, (text: string) => boolean>> = {
  'starts with a small letter': (text) => !/^[A-Z0-9`"“]/.test(text),
  'does not end with a full stop': (text) => !/[.)]$/.test(text),
  'has the wrong article': wrongArticle,
  'has a name outside backticks': (text) => /\b[a-z]+[A-Z]\w*/.test(prose(text)),
  'cites a section or a decision': (text) => /§|\b(?:sections?|decisions?|chapters?) \d/i.test(text),
  'says a word twice': (text) => /\b(\w+) \1\b/i.test(prose(text)),
};

/** What is wrong with the descriptions of a schema. */
export const slipsOf = (schema: GraphQLSchema): string[] =>
  describedOf(schema).flatMap(({ path, description }) => {
    if (!description?.trim()) return [`${path} is not described`];
    return Object.entries(rules).flatMap(([name, isBroken]) =>
      isBroken(description) ? [`${path} ${name}: ${description}`] : [],
    );
  });

/** Private fields of records whose descriptions do not say who sees them. */
export const silentPrivatesOf = (schema: GraphQLSchema, records: readonly RecordClass[]): string[] =>
  records.flatMap((cls) =>
    [...metaOf(cls).fields.values()].flatMap((field) => {
      const type = schema.getType(cls.name);
      const shown = isObjectType(type) ? type.getFields()[field.name] : undefined;
      return field.private && shown && !/shown to|null to others/i.test(shown.description ?? '')
        ? [`${cls.name}.${field.name}`]
        : [];
    }),
  );

/** Fields of an executable schema that refuse somebody and do not say whom they let in. */
export const silentGuardsOf = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap(({ name, extensions, description }) => {
          const policies = policiesOf(extensions);
          return policies && !description?.includes(`For: ${whoOf(policies)}`) ? [`${type.name}.${name}`] : [];
        })
      : [],
  );

/** Something of a schema that has a name, by its path; the value of an enumeration has no type. */
interface Named {
  path: string;
  name: string;
  type?: GraphQLType;
}

const namesOf = (schema: GraphQLSchema): Named[] =>
  Object.values(schema.getTypeMap()).flatMap((type): Named[] => {
    if (type.name.startsWith('__')) return [];
    if (isEnumType(type)) return type.getValues().map(({ name }) => ({ path: `${type.name}.${name}`, name }));
    const named = (field: { name: string; type: GraphQLType }) => ({
      path: `${type.name}.${field.name}`,
      name: field.name,
      type: field.type,
    });
    if (isInputObjectType(type)) return Object.values(type.getFields()).map(named);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [
      named(field),
      ...field.args.map((arg) => ({ path: `${type.name}.${field.name}(${arg.name})`, name: arg.name, type: arg.type })),
    ]);
  });

const isText = ({ type }: Named): boolean => type !== undefined && /^(?:String|TextFilter)$/.test(getNamedType(type).name);
const isObject = ({ type }: Named): boolean => type !== undefined && isObjectType(getNamedType(type));

/** One word for one thing: what is not said, and what is said instead. */
const words: readonly { not: RegExp; say: string; where?: (named: Named) => boolean }[] = [
  { not: /^name$/i, say: '`title`; persons have `firstName`, `lastName`, `fullName`' },
  { not: /cancelled/i, say: '`canceled`, as in `canceledAt`' },
  { not: /is_?active$/i, say: '`isEnabled`, as in `disabledAt`' },
  { not: /Details$/, say: 'the plain name for the record, with `Raw` behind it for the text', where: isObject },
  {
    not: /^(?:currency|country|state|timeZone|platform|tier|tierLevel)$|(?:Currency|Country|State|TimeZone|Platform|Tier|TierLevel)$/,
    say: 'the name with `Raw` behind it for the text, the plain one for the record',
    where: isText,
  },
  {
    not: /(?:logo|picture|photo|image|banner|icon|avatar)$/i,
    say: 'the name with `Url` behind it for the address; pictures are images',
    where: isText,
  },
  { not: /(?:picture|photo|avatar)/i, say: '`image`' },
];

/** Names of a schema that are another word for something that has one. */
export const oddWordsOf = (schema: GraphQLSchema): string[] =>
  namesOf(schema).flatMap((named) =>
    words.flatMap(({ not, say, where = () => true }) =>
      not.test(named.name) && where(named) ? [`${named.path}: say ${say}`] : [],
    ),
  );
