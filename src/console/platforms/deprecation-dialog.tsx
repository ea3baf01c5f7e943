import { useState } from 'preact/hooks';
import { useMutation, useQuery } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { useNotify } from '../elements/notices.tsx';
import { TimeInput } from '../elements/time-input.tsx';
import { CalledRoutes, DeprecateRoute, type DeprecationValues, deprecationInputOf } from './deprecation-documents.ts';
import { changesOf } from './form-changes.ts';
import { usePlatformOptions } from './platform-options.ts';

interface DeprecationDialogProps {
  /** Initial values. */
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
export function DeprecationDialog({ isNew, onSave, onClose, ...props }: DeprecationDialogProps) {
  const deprecate = useMutation(DeprecateRoute);
  const { data: usage } = useQuery(CalledRoutes, {});
  const platforms = usePlatformOptions();
  const [initial] = useState<DeprecationValues>({
    route: '',
    platformId: '',
    deprecatedAt: new Date().toISOString(),
    sunsetAt: '',
    text: '',
    link: '',
    rehearsalBeginsAt: '',
    rehearsalMinutes: '60',
    ...props.values,
  });
  const [values, setValues] = useState(initial);
  const notify = useNotify();
  const field = (name: keyof DeprecationValues) => ({
    name,
    value: values[name],
    failure: deprecate.failure,
    onChange: (value: string) => setValues((previous) => ({ ...previous, [name]: value })),
  });
  const confirm = async () => {
    const { route, platformId } = values;
    const changes = isNew ? values : { route, platformId, ...changesOf(initial, values) };
    const { failure } = await deprecate.run({ input: deprecationInputOf(changes) });
    if (failure) return;
    onClose();
    onSave();
    notify({ text: `The deprecation of ${values.route} was saved.` });
  };
  return (
    <ConfirmDialog
      title={isNew ? 'Deprecate a route' : `Change the deprecation of ${values.route}`}
      confirmLabel={isNew ? 'Deprecate' : 'Save'}
      isRunning={deprecate.isRunning}
      failure={deprecate.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {isNew && (
        <>
          <Field
            {...field('route')}
            label="Route"
            hint="Method and path, such as GET /v1/data/teams/{uuid}"
            suggestions={usage?.platformUsage?.routes.map(({ route }) => route) ?? []}
            autoComplete="off"
            required
          />
          <Field
            {...field('platformId')}
            label="Platform"
            type="select"
            hint="A deprecation for one platform takes precedence."
            options={[['', 'All platforms'], ...platforms]}
          />
        </>
      )}
      <Field
        {...field('text')}
        label="Message for developers"
        type="textarea"
        hint="The reason, and what to do"
        maxLength={2000}
        required
      />
      <TimeInput {...field('deprecatedAt')} label="Deprecated from" />
      <TimeInput {...field('sunsetAt')} label="May be removed from (optional)" />
      <Field {...field('link')} label="Link (optional)" type="url" hint="Page with more information. Default: the reference" />
      <TimeInput
        {...field('rehearsalBeginsAt')}
        label="Start of a rehearsal (optional)"
        hint="During a rehearsal, the route responds with status 410. A time in the past starts it immediately."
      />
      <Field {...field('rehearsalMinutes')} label="Duration of the rehearsal, in minutes" type="number" />
    </ConfirmDialog>
  );
}
