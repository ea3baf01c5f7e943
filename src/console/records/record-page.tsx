import type { FieldType, MutationType, RecordType } from 'courtside-console/catalog';
import { useRef, useState } from 'preact/hooks';
import { type Failure, useMutation, useQuery, useRefresh, useReloadOnChange, useSession } from '../data/index.ts';
import { BackLink } from '../elements/back-link.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { formatNumber } from '../elements/formats.tsx';
import { FailureMessage, Loading } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Page } from '../elements/page.tsx';
import { RecordHistory } from '../history/record-history.tsx';
import { hrefOf, mayLeave, navigate, useConsoleLocation } from '../router.ts';
import { isPermitted, recordTypeOf } from './catalog.ts';
import { countsDocument, recordDocument, recordIn, removeDocument } from './documents.ts';
import { recordLabel, textOf, type Values, valueAt } from './record.ts';
import { RecordDetails } from './record-details.tsx';
import { RecordForm } from './record-form.tsx';
import { relatedListsOf } from './selection.ts';
import { taskPath } from './value.tsx';
import { inSentence, labelOfName, textOfHelp } from './words.ts';

/** Interval at which the numbers of related records are read again, in seconds. */
const countsInterval = 10;

interface RecordPageProps {
  readonly name: string;
  readonly type: RecordType;
  readonly id: string;
}

/** A record: its fields, related records and history, and a form for changes. */
export function RecordPage({ name, type, id }: RecordPageProps) {
  const { viewer } = useSession();
  const isEditing = useConsoleLocation().search.get('view') === 'edit';
  const { data, failure, isLoading, reload } = useQuery(recordDocument(viewer, type), { id });
  useReloadOnChange(name, data?.liveCursor, reload, id);
  const currentRecord = recordIn(data);
  // A form keeps its values when the record is deleted.
  const latest = useRef<Values | null>(null);
  latest.current = currentRecord ?? (isEditing ? latest.current : null);
  const record = latest.current;
  const typeLabel = labelOfName(type.one ?? name);
  const label = record ? recordLabel(name, record) : typeLabel;
  const { update } = type;
  const canUpdate = valueAt(record ?? undefined, 'viewerCan.update') === true;
  // Audit entries themselves are not audited.
  const canSeeHistory = name !== 'AuditEntry' && isPermitted(viewer, recordTypeOf('AuditEntry')?.roles);
  const page = hrefOf([taskPath, name, id]);
  return (
    <Page title={isEditing ? `Edit ${label}` : label}>
      <p>
        <BackLink segments={[taskPath, name]}>{labelOfName(type.many)}</BackLink>
      </p>
      {/* A form reports the errors of its own requests. */}
      <FailureMessage failure={isEditing && record ? null : failure} onRetry={reload} />
      {isLoading && <Loading />}
      {!isLoading && !failure && !record && (
        <p class="card empty">This {inSentence(typeLabel)} does not exist, or your roles do not permit you to see it.</p>
      )}
      {record && isEditing && update && canUpdate && (
        <RecordForm
          {...{ name, type, record }}
          mutation={update}
          isDeleted={!currentRecord && !failure}
          onSaved={() => navigate(page)}
          onCancel={() => mayLeave() && navigate(page)}
          onConflict={reload}
        />
      )}
      {record && isEditing && !(update && canUpdate) && (
        <p class="card empty">Your roles do not permit you to change this record.</p>
      )}
      {record && !isEditing && (
        <>
          <Actions {...{ name, type, record, canUpdate }} />
          <RecordDetails {...{ type, record }} />
          <RelatedLists {...{ name, type, id }} />
        </>
      )}
      {/* The audit trail also has entries about deleted records. */}
      {!isLoading && !isEditing && canSeeHistory && <RecordHistory key={textOf(record?.updatedAt ?? null)} type={name} id={id} />}
    </Page>
  );
}

interface ActionsProps {
  readonly name: string;
  readonly type: RecordType;
  readonly record: Values;
  readonly canUpdate: boolean;
}

/** Buttons for the actions that the viewer may perform on the record. */
function Actions({ name, type, record, canUpdate }: ActionsProps) {
  const [isRemoving, setRemoving] = useState(false);
  const { update, remove } = type;
  const canRemove = valueAt(record, 'viewerCan.delete') === true;
  if (!(update && canUpdate) && !(remove && canRemove)) return null;
  return (
    <p class="row">
      {update && canUpdate && (
        <a class="button plain" href={hrefOf([taskPath, name, textOf(record.id)], { view: 'edit' })}>
          Edit
        </a>
      )}
      {remove && canRemove && (
        <button type="button" class="danger" onClick={() => setRemoving(true)}>
          Delete
        </button>
      )}
      {remove && isRemoving && <RemoveDialog {...{ name, record }} mutation={remove} onClose={() => setRemoving(false)} />}
    </p>
  );
}

interface RemoveDialogProps {
  readonly name: string;
  readonly record: Values;
  readonly mutation: MutationType;
  onClose(): void;
}

/** Asks for confirmation and then deletes a record. */
function RemoveDialog({ name, record, mutation, onClose }: RemoveDialogProps) {
  const notify = useNotify();
  const remove = useMutation(removeDocument(mutation));
  const label = recordLabel(name, record);
  const failure: Failure | null =
    remove.failure?.code === 'NOT_FOUND' ? { ...remove.failure, message: `${label} has already been deleted.` } : remove.failure;
  // Some mutations also require the owner of the record, which is one of its fields.
  const args = Object.fromEntries(mutation.args.map((arg) => [arg.name, record[arg.name] ?? null]));
  return (
    <ConfirmDialog
      title={`Delete ${label}?`}
      confirmLabel="Delete"
      isRunning={remove.isRunning}
      failure={failure}
      onConfirm={async () => {
        const { failure } = await remove.run({ ...args, id: textOf(record.id) });
        if (failure) return;
        notify({ text: `Deleted ${label}` });
        navigate(hrefOf([taskPath, name]));
      }}
      onClose={onClose}
    >
      <p class="quiet">{textOfHelp(mutation.help)}</p>
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}

/** Links to the lists of related records, with the number of records. */
function RelatedLists({ name, type, id }: RecordPageProps) {
  const { viewer } = useSession();
  const lists = relatedListsOf(viewer, type).filter((list) => recordTypeOf(list.type));
  const document = countsDocument(viewer, type);
  const query = useQuery(document ?? recordDocument(viewer, type), document && lists.length > 0 ? { id } : null);
  useRefresh(query.reload, countsInterval);
  if (lists.length === 0) return null;
  const counts = recordIn(query.data);
  const countOf = (list: FieldType) => valueAt(counts ?? undefined, `${list.name}.totalCount`);
  // The counts of lists that the viewer may not see are null.
  const shown = lists.filter((list) => counts === null || countOf(list) !== null);
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>Related records</h2>
      {query.isLoading && <Loading />}
      <ul class="columns">
        {(query.isLoading ? [] : shown).map((list) => (
          <li key={list.name}>
            <a href={hrefOf([taskPath, name, id, list.name])}>{labelOfName(list.name)}</a>
            {counts && ` (${formatNumber(Number(countOf(list)))})`}
          </li>
        ))}
      </ul>
    </section>
  );
}
