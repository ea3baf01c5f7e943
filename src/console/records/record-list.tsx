import type { FieldType, RecordType } from 'courtside-console/catalog';
import type { Json } from 'courtside-sdk';
import { useList, useReloadOnChange, useSession } from '../data/index.ts';
import { formatNumber } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { hrefOf, useConsoleLocation } from '../router.ts';
import { isPermitted } from './catalog.ts';
import { conditionsIn, filterInputOf, orderIn, searchTextIn } from './conditions.ts';
import { listDocument, relatedListDocument } from './documents.ts';
import { Filters } from './filters.tsx';
import { formGroupsOf } from './form-values.ts';
import { labelSelectionOf, recordLabel } from './record.ts';
import { RecordTable } from './record-table.tsx';
import { taskPath } from './value.tsx';
import { inSentence, labelOfName, textOfHelp } from './words.ts';

/** Variables of a list, from the search parameters of the URL. */
function useListVariables(type: RecordType): { readonly filter: Json; readonly orderBy: Json } {
  const { search } = useConsoleLocation();
  const order = orderIn(type, search);
  return {
    filter: filterInputOf(type, conditionsIn(type, search), searchTextIn(search)),
    orderBy: order ? [{ field: order.field, direction: order.direction }] : null,
  };
}

interface ListHeadProps {
  readonly name: string;
  readonly type: RecordType;
  readonly count: number | undefined;
  /** Initial values of a new record, keyed by field name. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** Number of records, and a link to the form for a new one, if the viewer may create records of the type. */
function ListHead({ name, type: { one, create }, count, defaults }: ListHeadProps) {
  const { viewer } = useSession();
  return (
    <p class="row">
      <span role="status" class="quiet small">
        {countText(count)}
      </span>
      {create && isPermitted(viewer, create.roles) && (
        <a class="button plain" href={hrefOf([taskPath, name], { ...defaults, view: 'new' })}>
          New {inSentence(labelOfName(one ?? name))}
        </a>
      )}
    </p>
  );
}

/** Returns the message of a list without records. */
const emptyText = (title: string, { filter }: { filter: Json }): string =>
  filter === null ? `There are no ${inSentence(title)}.` : `No ${inSentence(title)} match the search and the filters.`;

const countText = (count: number | undefined): string =>
  count === undefined ? '' : count === 1 ? '1 record' : `${formatNumber(count)} records`;

interface RecordListProps {
  readonly name: string;
  readonly type: RecordType;
}

/** All records of a type, with filters and order. */
export function RecordList({ name, type }: RecordListProps) {
  const { viewer } = useSession();
  const { search } = useConsoleLocation();
  const variables = useListVariables(type);
  const required = (type.requires ?? []).map((argument) => [argument.name, search.get(argument.name)] as const);
  const isComplete = required.every(([, value]) => value);
  const list = useList(
    listDocument(viewer, name, type),
    isComplete ? { ...variables, ...Object.fromEntries(required) } : null,
    (data) => data.list,
  );
  useReloadOnChange(name, list.data?.liveCursor, list.reload);
  const title = labelOfName(type.many);
  return (
    <Page title={title}>
      <p class="quiet">{textOfHelp(type.help)}</p>
      <Filters type={type} requires={type.requires ?? []} />
      <ListHead {...{ name, type }} count={list.data?.list?.totalCount} defaults={{}} />
      {isComplete ? (
        <RecordTable {...{ name, type, list }} caption={title} emptyText={emptyText(title, variables)} />
      ) : (
        <p class="card empty">
          Choose a {required.map(([argument]) => inSentence(labelOfName(argument.replace(/Id$/, '')))).join(' and a ')} to see
          this list.
        </p>
      )}
    </Page>
  );
}

/** Returns initial values that make a new record refer to the record with the given ID. */
function defaultsFor({ create, fields }: RecordType, parentName: string, id: string): Readonly<Record<string, string>> {
  const inputs = create ? formGroupsOf(create, fields).flatMap((group) => group.fields) : [];
  const reference = inputs.find(({ field: { type, record, isList } }) => type === 'ID' && record === parentName && !isList);
  return reference ? { [reference.field.name]: id } : {};
}

interface RelatedListProps {
  readonly id: string;
  readonly parentName: string;
  readonly parent: RecordType;
  readonly relation: FieldType;
  readonly type: RecordType;
}

/** Records that are related to a record, such as the teams of a tournament, with filters and order. */
export function RelatedList({ id, parentName, parent, relation, type }: RelatedListProps) {
  const { viewer } = useSession();
  const document = relatedListDocument(viewer, parent, labelSelectionOf(parentName), relation, type);
  const variables = useListVariables(type);
  const list = useList(document, { ...variables, id }, ({ record }) => record?.list);
  useReloadOnChange(relation.type, list.data?.liveCursor, list.reload);
  const record = list.data?.record;
  const title = labelOfName(relation.name);
  const parentTitle = inSentence(labelOfName(parent.one ?? parentName));
  const parentLabel = record ? recordLabel(parentName, record) : parentTitle;
  if (list.data && !record && !list.failure)
    return (
      <Page title={title}>
        <p class="card empty">This {parentTitle} does not exist, or your roles do not permit you to see it.</p>
      </Page>
    );
  return (
    <Page title={record ? `${title} of ${parentLabel}` : title}>
      <p>
        <a href={hrefOf([taskPath, parentName, id])}>Back to {parentLabel}</a>
      </p>
      <p class="quiet">{textOfHelp(relation.help ?? '')}</p>
      <Filters type={type} requires={[]} />
      <ListHead name={relation.type} type={type} count={record?.list?.totalCount} defaults={defaultsFor(type, parentName, id)} />
      <RecordTable name={relation.type} {...{ type, list }} caption={title} emptyText={emptyText(title, variables)} />
    </Page>
  );
}
