import { useState } from 'preact/hooks';
import { useMutation, useQuery, useQueryOnRequest, withLabels } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { ConflictAlert, useEdits } from '../elements/edits.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { useNotify } from '../elements/notices.tsx';
import { TimeInput } from '../elements/time-input.tsx';
import {
  CalledRoutes,
  DeprecateRoute,
  type Deprecation,
  DeprecationSearch,
  type DeprecationValues,
  deprecationInputOf,
  valuesOf,
} from './deprecation-documents.ts';
import { usePlatformOptions } from './platform-options.ts';

interface DeprecationDialogProps {
  /** Values of the deprecation, or initial values of a new one. */
  readonly values: Partial<DeprecationValues>;
  /**
   * Whether the dialog creates a deprecation. If false, the dialog changes an existing one, and the route and the platform cannot be
   * changed.
   */
  readonly isNew: boolean;
  onSave(): void;
  onClose(): void;
}

/** Deprecates a route for one platform or for all platforms, or changes a deprecation. */
export function DeprecationDialog(props: DeprecationDialogProps) {
  const [existing, setExisting] = useState<Deprecation | null>(null);
  if (!existing) return <DeprecationForm {...props} onEdit={setExisting} />;
  return <DeprecationForm key={existing.id} {...props} values={valuesOf(existing)} isNew={false} onEdit={setExisting} />;
}

const labels: Readonly<Record<keyof DeprecationValues, string>> = {
  route: 'Route',
  platformId: 'Platform',
  text: 'Message for developers',
  deprecatedAt: 'Deprecated from',
  sunsetAt: 'May be removed from (optional)',
  link: 'Link (optional)',
  rehearsalBeginsAt: 'Start of a rehearsal (optional)',
  rehearsalMinutes: 'Duration of the rehearsal, in minutes',
};

interface DeprecationFormProps extends DeprecationDialogProps {
  /** Called when the user chooses to change the existing deprecation of the route instead. */
  onEdit(existing: Deprecation): void;
}

function DeprecationForm({ isNew, onSave, onClose, onEdit, ...props }: DeprecationFormProps) {
  const deprecate = useMutation(DeprecateRoute);
  const search = useQueryOnRequest(DeprecationSearch);
  const [existing, setExisting] = useState<Deprecation | null>(null);
  const { data: usage } = useQuery(CalledRoutes, {});
  const platforms = usePlatformOptions();
  const [defaults] = useState<DeprecationValues>({
    route: '',
    platformId: '',
    deprecatedAt: new Date().toISOString(),
    sunsetAt: '',
    text: '',
    link: '',
    rehearsalBeginsAt: '',
    rehearsalMinutes: '60',
  });
  const stored = { ...defaults, ...props.values };
  const edits = useEdits(stored);
  const { values } = edits;
  const filter = { route: { eq: stored.route }, platformId: { isNull: false } };
  const { data: ofPlatforms } = useQuery(DeprecationSearch, isNew && stored.route ? { filter } : null);
  const deprecatedFor = (ofPlatforms?.deprecations?.nodes ?? []).flatMap(({ platform }) => platform?.title ?? []);
  const notify = useNotify();
  const failure = search.failure ?? withLabels(deprecate.failure, labels);
  const field = (name: keyof DeprecationValues) => ({
    name,
    label: labels[name],
    value: values[name],
    failure,
    onChange(value: string) {
      setExisting(null);
      edits.change({ ...values, [name]: value });
    },
  });
  const confirm = async () => {
    const { route, platformId } = values;
    if (isNew) {
      const platform = platformId === '' ? { isNull: true } : { eq: platformId };
      const { data } = await search.run({ filter: { route: { eq: route.trim() }, platformId: platform } });
      const [deprecation] = data?.deprecations?.nodes ?? [];
      if (deprecation) setExisting(deprecation);
      if (deprecation || !data) return;
    }
    const input = deprecationInputOf(isNew ? values : { route, platformId, ...edits.changes });
    const { failure } = await deprecate.run({ input, isNew });
    if (failure) return;
    onClose();
    onSave();
    notify({ text: `The deprecation of ${values.route} was saved.` });
  };
  return (
    <ConfirmDialog
      title={isNew ? 'Deprecate a route' : `Change the deprecation of ${values.route}`}
      confirmLabel={isNew ? 'Deprecate' : 'Save'}
      isRunning={search.isRunning || deprecate.isRunning}
      failure={failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {isNew && (
        <>
          <Field
            {...field('route')}
            hint="Method and path, such as GET /v1/data/teams/{uuid}"
            suggestions={usage?.platformUsage?.routes.map(({ route }) => route) ?? []}
            autoComplete="off"
            required
          />
          <Field
            {...field('platformId')}
            type="select"
            hint="A deprecation for one platform takes precedence."
            options={[['', 'All platforms'], ...platforms]}
          />
          {deprecatedFor.length > 0 && (
            <p class="small">
              {stored.route} is already deprecated for {deprecatedFor.join(', ')}.
            </p>
          )}
        </>
      )}
      <Field {...field('text')} type="textarea" hint="The reason, and what to do" maxLength={2000} required />
      <TimeInput {...field('deprecatedAt')} />
      <TimeInput {...field('sunsetAt')} />
      <Field {...field('link')} type="url" hint="Page with more information. Default: the reference" />
      <TimeInput
        {...field('rehearsalBeginsAt')}
        hint="During a rehearsal, the route responds with status 410. A time in the past starts it immediately."
      />
      <Field {...field('rehearsalMinutes')} type="number" />
      <ConflictAlert
        edits={edits}
        labels={labels}
        contentOf={(name, value) => (name.endsWith('At') ? <DateTime at={value} /> : value)}
      />
      {existing && (
        <div role="alert" class="alarm">
          <p>
            {existing.route} is already deprecated for {existing.platform?.title ?? 'all platforms'}.
          </p>
          <button type="button" class="plain" onClick={() => onEdit(existing)}>
            Change the deprecation…
          </button>
        </div>
      )}
    </ConfirmDialog>
  );
}
