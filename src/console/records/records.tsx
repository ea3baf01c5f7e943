import type { RecordType } from 'courtside-console/catalog';
import { useSession } from '../data/index.ts';
import { BackLink } from '../elements/back-link.tsx';
import { NotFound } from '../elements/not-found.tsx';
import { Page } from '../elements/page.tsx';
import { hrefOf, mayLeave, navigate, useConsoleLocation } from '../router.ts';
import { isListed, isPermitted, recordTypeOf } from './catalog.ts';
import { textOf } from './record.ts';
import { RecordForm } from './record-form.tsx';
import { RecordList, RelatedList } from './record-list.tsx';
import { RecordPage } from './record-page.tsx';
import { relatedListsOf } from './selection.ts';
import { TypeList } from './type-list.tsx';
import { taskPath } from './value.tsx';
import { inSentence, labelOfName } from './words.ts';

/**
 * Part of the console that shows and edits the records of the graph. It has pages for the list of record types, the records of one type, a
 * record, and its related records. The catalog of types is derived from the schema.
 */
export default function Records() {
  const { viewer } = useSession();
  const { segments, search } = useConsoleLocation();
  const [, name, id, relation, ...rest] = segments;
  if (name === undefined) return <TypeList />;
  const type = recordTypeOf(name);
  if (!type || !isListed(viewer, name)) return <TypeNotFound name={name} />;
  if (id === undefined)
    return search.get('view') === 'new' ? (
      <NewRecord key={name} {...{ name, type }} />
    ) : (
      <RecordList key={name} {...{ name, type }} />
    );
  if (relation === undefined) return <RecordPage key={`${name} ${id}`} {...{ name, type, id }} />;
  const related = relatedListsOf(viewer, type).find((list) => list.name === relation);
  const relatedType = related && recordTypeOf(related.type);
  if (!related || !relatedType || rest.length > 0) return <NotFound back={[taskPath, name, id]} backLabel="Go to the record" />;
  return (
    <RelatedList
      key={`${name} ${id} ${relation}`}
      parentName={name}
      parent={type}
      relation={related}
      type={relatedType}
      id={id}
    />
  );
}

const TypeNotFound = ({ name }: { name: string }) => (
  <NotFound
    back={[taskPath]}
    backLabel="Go to all record types"
    reason={
      <>
        There is no list of the type <code>{name}</code>, or your roles do not permit you to see it.
      </>
    }
  />
);

/** Form for a new record. */
function NewRecord({ name, type }: { name: string; type: RecordType }) {
  const { viewer } = useSession();
  const { search } = useConsoleLocation();
  const { create } = type;
  if (!create || !isPermitted(viewer, create.roles)) return <NotFound back={[taskPath, name]} backLabel="Go to the list" />;
  return (
    <Page title={`New ${inSentence(labelOfName(type.one ?? name))}`}>
      <p>
        <BackLink segments={[taskPath, name]}>{labelOfName(type.many)}</BackLink>
      </p>
      <RecordForm
        {...{ name, type }}
        mutation={create}
        record={null}
        defaults={search}
        onSaved={(record) => navigate(hrefOf([taskPath, name, textOf(record.id)]))}
        onCancel={() => (history.length > 1 ? history.back() : mayLeave() && navigate(hrefOf([taskPath, name])))}
      />
    </Page>
  );
}
