import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import type { FieldType, RequiredRoles } from './types.ts';

export const isRecord = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');

export const isConnection = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && 'pageInfo' in type.getFields();

/** Whether a field has values in the format of `/v1`, which the console does not show. */
const isLegacy = ({ name }: { name: string }): boolean => /legacy/i.test(name);

/** Whether a field is only meant for clients with a cache: the global ID, and the IDs of deleted records in mutation results. */
const isForCaches = ({ name }: { name: string }): boolean => name === 'nodeId' || /^deleted\w+Ids$/.test(name);

interface Described {
  readonly description?: string | null;
}

const callersPattern = / ?For: ([^.]+)\.$/;

/** Matches sentences about errors, such as `NOT_FOUND if the ID is unknown.` The console omits them, because it shows errors when they occur. */
const errorSentence = / ?[^.]*\b(?:BAD_INPUT|CONFLICT|FORBIDDEN|GONE|NOT_FOUND)\b[^.]*\./g;

/** Returns the description without the permitted callers and the errors. Names of fields are in backticks. */
export const helpOf = ({ description }: Described): string | undefined =>
  description?.replace(callersPattern, '').replace(errorSentence, '').trim() || undefined;

/**
 * Reads the required roles from the end of a description, such as "For: platforms; users with the role ADMIN." A signed-in user needs one
 * of them. Undefined if all signed-in users are permitted, at least for their own records.
 */
export function requiredRolesIn({ description }: Described): RequiredRoles | undefined {
  const [, callers] = callersPattern.exec(description ?? '') ?? [];
  const users = callers?.split('; ').filter((caller) => !/^platforms(?: without a user token)?$/.test(caller));
  const roles = users?.map((caller) =>
    caller === 'super admins' ? 'super admin' : /^users with the role (\w+)$/.exec(caller)?.[1],
  );
  return roles?.every((role) => role !== undefined) ? roles : undefined;
}

/** Omits undefined and false values, so that the catalog stays small. */
export const compact = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined && part !== false)) as Value;

/** Returns the field with the record that an ID identifies: `club` for `clubId`, and `categories` for `categoryIds`. */
function relationOf({ name, description }: GraphQLField<unknown, unknown>, parent: GraphQLObjectType): string | undefined {
  const fields = parent.getFields();
  const [, one] = /^IDs? of `(\w+)`/.exec(description ?? '') ?? [];
  const [, stem = '', plural] = /^(\w+)Id(s?)$/.exec(name) ?? [];
  const related = fields[stem] && getNamedType(fields[stem].type);
  if (one && fields[one]) return one;
  if (!plural) return related && (isRecord(related) || isAbstractType(related)) ? stem : undefined;
  return [`${stem}s`, stem.replace(/y$/, 'ies')].find((each) => fields[each]);
}

/** Returns the name of the record type that a field of a result refers to. Undefined for other fields and for unions. */
export function recordNameOf(type: GraphQLObjectType, field: string): string | undefined {
  const target = type.getFields()[field];
  const named = target && getNamedType(target.type);
  if (named && isRecord(named)) return named.name;
  const nodes = named && isConnection(named) ? named.getFields().nodes : undefined;
  return nodes && isRecord(getNamedType(nodes.type)) ? getNamedType(nodes.type).name : undefined;
}

/** Whether a field contains the URL of a picture, such as `logoUrl`, or the `url` of an image. */
const isPicture = ({ name }: GraphQLField<unknown, unknown>, parent: GraphQLObjectType): boolean =>
  /(?:card|image|logo|thumbnail)Url$/i.test(name) || (name === 'url' && parent.name.endsWith('Image'));

/** Returns the fields of a record or value that need no arguments. */
export const fieldsOf = (type: GraphQLObjectType): readonly FieldType[] =>
  Object.values(type.getFields())
    .filter((field) => !isLegacy(field) && !isForCaches(field) && field.name !== 'viewerCan')
    .filter(({ args }) => !args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined))
    .map((field) => {
      const named = getNamedType(field.type);
      const nodes = isConnection(named) ? named.getFields().nodes : undefined;
      const relation = relationOf(field, type);
      return compact<FieldType>({
        name: field.name,
        type: nodes ? getNamedType(nodes.type).name : named.name,
        help: helpOf(field),
        isList: (isListType(getNullableType(field.type)) || undefined) as true | undefined,
        isConnection: (nodes !== undefined || undefined) as true | undefined,
        isRequired: (isNonNullType(field.type) || undefined) as true | undefined,
        isPicture: (isPicture(field, type) || undefined) as true | undefined,
        relation,
        record: relation && recordNameOf(type, relation),
        roles: requiredRolesIn(field),
      });
    });

/** Returns the argument of the directive `@mergedBy` of an input field. */
const mergeKeyOf = ({ astNode }: Pick<GraphQLInputField, 'astNode'>): string | undefined => {
  const directive = astNode?.directives?.find(({ name }) => name.value === 'mergedBy');
  const value = directive?.arguments?.[0]?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
};

/** Describes fields of an input or arguments of a mutation. `result` is the type with the fields that contain the current values. */
export const describeInputs = (
  fields: readonly (Pick<GraphQLInputField, 'name' | 'type' | 'description' | 'astNode'> & { defaultValue?: unknown })[],
  result: GraphQLObjectType | undefined,
): readonly FieldType[] =>
  fields
    .filter((field) => !isLegacy(field))
    .map((field) => {
      const current = result?.getFields()[field.name];
      const currentRecord = current && recordNameOf(result, relationOf(current, result) ?? field.name);
      return compact<FieldType>({
        name: field.name,
        type: getNamedType(field.type).name,
        help: current && helpOf(current) === helpOf(field) ? undefined : helpOf(field),
        isList: (isListType(getNullableType(field.type)) || undefined) as true | undefined,
        isRequired: ((isNonNullType(field.type) && field.defaultValue === undefined) || undefined) as true | undefined,
        record: currentRecord,
        mergedBy: mergeKeyOf(field),
      });
    });
