import {
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** A named element of a schema, with its path. Enum values have no type. */
interface NamedElement {
  path: string;
  name: string;
  type?: GraphQLType;
  /** Whether the element is an input field or a field of `legacy`. Such a field may contain text although its name suggests a record. */
  takesText?: boolean;
}

const namesOf = (schema: GraphQLSchema): NamedElement[] =>
  Object.values(schema.getTypeMap()).flatMap((type): NamedElement[] => {
    if (type.name.startsWith('__')) return [];
    if (isEnumType(type)) return type.getValues().map(({ name }) => ({ path: `${type.name}.${name}`, name }));
    const elementOf = (field: { name: string; type: GraphQLType }) => ({
      path: `${type.name}.${field.name}`,
      name: field.name,
      type: field.type,
      takesText: isInputObjectType(type) || type.name.endsWith('Legacy'),
    });
    if (isInputObjectType(type)) return Object.values(type.getFields()).map(elementOf);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [
      elementOf(field),
      ...field.args.map((arg) => ({ path: `${type.name}.${field.name}(${arg.name})`, name: arg.name, type: arg.type })),
    ]);
  });

const isText = ({ type }: NamedElement): boolean => type !== undefined && /^(?:String|TextFilter)$/.test(getNamedType(type).name);
const isEnumeration = ({ type }: NamedElement): boolean => type !== undefined && isEnumType(getNamedType(type));
const isInstant = ({ type }: NamedElement): boolean => type !== undefined && /^Instant/.test(getNamedType(type).name);
const isBoolean = ({ type }: NamedElement): boolean => type !== undefined && getNamedType(type).name === 'Boolean';
const isObject = ({ type }: NamedElement): boolean => type !== undefined && isObjectType(getNamedType(type));

/** Terms to avoid in names, with the term to use instead. `where` limits a rule to some elements. */
const words: readonly { not: RegExp; say: string; where?: (named: NamedElement) => boolean }[] = [
  { not: /^name$/i, say: '`title`; persons have `firstName`, `lastName`, `fullName`' },
  { not: /cancelled/i, say: '`canceled`, as in `canceledAt`' },
  { not: /is_?active$/i, say: '`isEnabled`, as in `disabledAt`' },
  { not: /Details$/, say: 'the plain name for the record, and the text in `legacy`', where: isObject },
  { not: /(?:Raw|_RAW)$/, say: 'the plain name in `legacy`' },
  {
    not: /^(?:currency|country|state|timeZone|platform|tier|tierLevel)$|(?:Currency|Country|State|TimeZone|Platform|Tier|TierLevel)$/,
    say: 'the plain name for the record, and the text in `legacy`',
    where: (named) => isText(named) && !named.takesText,
  },
  {
    not: /(?:logo|picture|photo|image|banner|icon|avatar)$/i,
    say: 'the name with the suffix `Url` for an address; pictures are images',
    where: isText,
  },
  { not: /(?:picture|photo|avatar)/i, say: '`image`' },
  { not: /Date$/, say: 'the name with the suffix `At`', where: isInstant },
  {
    not: /^(?:is|has(?!Any$))[A-Z]/,
    say: 'a name without `is`, or make it a Boolean',
    where: (named) => named.type !== undefined && !isBoolean(named) && !/Legacy/.test(named.path),
  },
  {
    not: /(?<!(?:^|[a-z])(?:at|At|[fF]rom|[uU]ntil|[dD]eadline|since|gte|lte|Date))$/,
    say: 'the name with the suffix `At`, or with `From` and `Until` for a period',
    where: (named) => isInstant(named) && !/Legacy|^InstantFilter/.test(named.path),
  },
  {
    not: /^(?!(?:can|used|skip|[a-z]*s)[A-Z])(?!.*Is[A-Z])/,
    say: 'a name that starts with `is`, `has`, `can` or another verb',
    where: (named) => isBoolean(named) && !/^(?:ViewerCan|Game(?:Types|Genders)(?:Input)?|\w*Filter)\./.test(named.path),
  },
  { not: /(?:ASKED|ANEW)$/, say: 'a name that says what happened, such as `REQUESTED`' },
  {
    not: /Date$/,
    say: 'the name with the suffix `Time` for a time in any format',
    where: (named) => isText(named) && !/Legacy/.test(named.path),
  },
  { not: /(?<!lt)Text$/, say: 'a name that says what the text is about', where: isText },
  { not: /asSent$/i, say: '`acceptsLegacyValues`' },
  { not: /(?:Code|Number|Mode)$/, say: 'a name that says what the value is, such as `format`', where: isEnumeration },
];

/** Returns the paths of names in a schema that use a term to avoid, each with the term to use instead. */
export const nameErrorsOf = (schema: GraphQLSchema): string[] =>
  namesOf(schema).flatMap((schemaElement) =>
    words.flatMap(({ not, say, where = () => true }) =>
      not.test(schemaElement.name) && where(schemaElement) ? [`${schemaElement.path}: use ${say}`] : [],
    ),
  );
