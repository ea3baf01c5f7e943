import type { FieldType, MutationType, RecordType } from 'courtside-console/catalog';
import { graphql, type Json, type TypedDocument } from 'courtside-sdk';
import { hasRole, type Viewer } from '../data/index.ts';
import { labelSelectionOf, type Values } from './record.ts';
import { allFieldsOf, currencySelectionOf, relatedListsOf, rowSelectionOf } from './selection.ts';

/** Variables of a document. The catalog contains their types. */
type Variables = Readonly<Record<string, Json | undefined>>;

const documents = new Map<string, object>();

/** Parses a document whose types are only known at run time. The same text returns the same object, which identifies the query. */
function documentOf<Data, DocumentVariables = Variables>(text: string): TypedDocument<Data, DocumentVariables> {
  const document = documents.get(text) ?? graphql(text as never);
  documents.set(text, document);
  return document as unknown as TypedDocument<Data, DocumentVariables>;
}

/** One page of a list of records. */
export interface RecordPage {
  readonly totalCount: number;
  readonly nodes: readonly Values[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Whether the viewer receives changes to records of a type. */
export const canReceiveChanges = (viewer: Viewer, { fields, update, remove }: RecordType): boolean =>
  hasRole(viewer, 'ADMIN') && (update ?? remove ?? fields.find(({ name }) => name === 'updatedAt')) !== undefined;

/** Selects the position of the change log, if the viewer receives changes. The position must be the first field of a query. */
const cursorOf = (viewer: Viewer, type: RecordType): string => (canReceiveChanges(viewer, type) ? 'liveCursor' : '');

const listArguments = 'first: 50, after: $after, filter: $filter, orderBy: $orderBy';
const pageSelectionOf = (name: string, type: RecordType): string =>
  `{ totalCount nodes { ${rowSelectionOf(name, type)} } pageInfo { hasNextPage endCursor } }`;
const listVariablesOf = (name: string): string => `$after: String, $filter: ${name}Filter, $orderBy: [${name}Order!]`;

export interface ListData {
  readonly liveCursor: string | null | undefined;
  readonly list: RecordPage | null;
}

type ListVariables = Variables & { readonly after?: string | null };

/** Document that reads a list field of `Query`. Its variables have the names of the arguments that the list requires. */
export function listDocument(viewer: Viewer, name: string, type: RecordType): TypedDocument<ListData, ListVariables> {
  const required = type.requires ?? [];
  const variables = required.map((argument) => `, $${argument.name}: ${argument.type}!`).join('');
  const args = required.map((argument) => `, ${argument.name}: $${argument.name}`).join('');
  return documentOf(
    `query ConsoleList(${listVariablesOf(name)}${variables}) { ${cursorOf(viewer, type)} list: ${type.many}(${listArguments}${args}) ${pageSelectionOf(name, type)} }`,
  );
}

export interface RelatedListData {
  readonly liveCursor: string | null | undefined;
  readonly record: (Values & { readonly list: (RecordPage & Values) | null }) | null;
}

/** Document that reads a list of records that are related to a record. */
export const relatedListDocument = (
  viewer: Viewer,
  parent: RecordType,
  parentSelection: string,
  { name: relation, type: name }: FieldType,
  type: RecordType,
): TypedDocument<RelatedListData, ListVariables> =>
  documentOf(
    `query ConsoleRelated($id: ID!, ${listVariablesOf(name)}) { ${cursorOf(viewer, type)} record: ${parent.one}(id: $id) { ${parentSelection} list: ${relation}(${listArguments}) ${pageSelectionOf(name, type)} } }`,
  );

export interface RecordData {
  readonly liveCursor: string | null | undefined;
  readonly record: Values | null | undefined;
  readonly list: { readonly nodes: readonly Values[] } | null | undefined;
}

/** Document that reads a record. A record without its own query is read from the list of its type. */
function oneDocument(type: RecordType, firstField: string, selection: string): TypedDocument<RecordData, { id: string }> {
  const field = type.one
    ? `record: ${type.one}(id: $id) { ${selection} }`
    : `list: ${type.many}(first: 1, filter: { id: { eq: $id } }) { nodes { ${selection} } }`;
  return documentOf(`query ConsoleRecord($id: ID!) { ${firstField} ${field} }`);
}

export const recordIn = (data: RecordData | undefined): Values | null => data?.record ?? data?.list?.nodes[0] ?? null;

const hasRights = ({ update, remove }: RecordType): boolean => (update ?? remove) !== undefined;

const completeSelectionOf = (viewer: Viewer, type: RecordType): string =>
  `${allFieldsOf(viewer, type)} ${currencySelectionOf(type)} ${hasRights(type) ? 'viewerCan { update delete }' : ''}`;

/** Document that reads all fields of a record, and the viewer's permissions for it. */
export const recordDocument = (viewer: Viewer, type: RecordType): TypedDocument<RecordData, { id: string }> =>
  oneDocument(type, cursorOf(viewer, type), completeSelectionOf(viewer, type));

/** Document that counts the related records of a record. Undefined if the record has no lists of related records. */
export function countsDocument(viewer: Viewer, type: RecordType): TypedDocument<RecordData, { id: string }> | undefined {
  const lists = relatedListsOf(viewer, type);
  return lists.length > 0
    ? oneDocument(type, '', `id ${lists.map(({ name }) => `${name}(first: 0) { totalCount }`).join(' ')}`)
    : undefined;
}

/** Document that reads the selected fields of a record. */
export const partDocument = (type: RecordType, selection: string): TypedDocument<RecordData, { id: string }> =>
  oneDocument(type, '', selection);

const declarationOf = ({ name, type, isList, isRequired }: FieldType): string =>
  `$${name}: ${isList ? `[${type}!]` : type}${isRequired ? '!' : ''}`;

interface SavedData {
  readonly record: Values | null;
}

/** Returns the declarations of the variables of a mutation, and its arguments, which have the same names. */
function argumentsOf({ args, takesId, takesVersion }: MutationType): { declarations: string; args: string } {
  const declarations = [
    ...(takesId ? [['id', '$id: ID!'] as const] : []),
    ...(takesVersion ? [['ifVersion', '$ifVersion: Int'] as const] : []),
    ...args.map((field) => [field.name, declarationOf(field)] as const),
  ];
  return {
    declarations: declarations.map(([, declaration]) => declaration).join(', '),
    args: declarations.map(([name]) => `${name}: $${name}`).join(', '),
  };
}

/** Document that creates or updates a record. Its variables are the arguments of the mutation. */
export function saveDocument(viewer: Viewer, type: RecordType, mutation: MutationType): TypedDocument<SavedData, Variables> {
  const { declarations, args } = argumentsOf(mutation);
  return documentOf(
    `mutation ConsoleSave(${declarations}) { record: ${mutation.name}(${args}) { ${completeSelectionOf(viewer, type)} } }`,
  );
}

/** Document that deletes a record. Its variables are the arguments of the mutation. */
export function removeDocument(mutation: MutationType): TypedDocument<SavedData, Variables> {
  const { declarations, args } = argumentsOf(mutation);
  return documentOf(`mutation ConsoleDelete(${declarations}) { record: ${mutation.name}(${args}) { id } }`);
}

/** Document that finds records by a filter. */
export const searchDocument = (name: string, type: RecordType): TypedDocument<ListData, Variables> =>
  documentOf(
    `query ConsoleSearch($filter: ${name}Filter) { list: ${type.many}(first: 10, filter: $filter) { totalCount nodes { ${labelSelectionOf(name)} } pageInfo { hasNextPage endCursor } } }`,
  );
