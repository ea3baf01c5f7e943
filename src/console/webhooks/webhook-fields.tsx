import { type Failure, useQuery, withLabels } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { WebhookRecordTypes } from './documents.ts';
import { eventsIn } from './texts.ts';

/** Values of a webhook in a form. `events` has one event per line. */
export interface WebhookValues {
  readonly url: string;
  readonly events: string;
  readonly contactEmail: string;
}

export const webhookLabels: Readonly<Record<keyof WebhookValues, string>> = {
  url: 'URL',
  events: 'Events',
  contactEmail: 'Contact (optional)',
};

export const webhookFieldNames = ['url', 'events', 'contactEmail'] as const;

/** Adds the names of unknown events to the error message for the field `events`. The service reports only their positions in the list. */
function withEvents(failure: Failure | null, events: readonly string[]): Failure | null {
  if (!failure) return null;
  const unknown = events.filter((_, index) => failure.problems.some(({ field }) => field === `events[${index}]`));
  const problems = failure.problems.map((problem) => ({
    ...problem,
    expected: problem.field.startsWith('events[')
      ? problem.expected.replace(/(?=;|$)/, `, instead of ${unknown.join(', ')}`)
      : problem.expected,
  }));
  return { ...failure, problems };
}

/** Returns the error to show in a webhook form. The message names the fields by their labels, and lists unknown events. */
export const webhookFailure = (failure: Failure | null, { events }: WebhookValues): Failure | null =>
  withLabels(withEvents(failure, eventsIn(events)), webhookLabels);

interface WebhookFieldsProps {
  readonly values: WebhookValues;
  readonly failure: Failure | null;
  onChange(values: WebhookValues): void;
}

/** Fields of a webhook that users can set. */
export function WebhookFields({ values, failure, onChange }: WebhookFieldsProps) {
  const { data } = useQuery(WebhookRecordTypes, {});
  const field = (name: keyof WebhookValues) => ({
    name,
    label: webhookLabels[name],
    value: values[name],
    failure,
    autoComplete: 'off',
    onChange: (value: string) => onChange({ ...values, [name]: value }),
  });
  return (
    <>
      <Field {...field('url')} type="url" hint="The service posts events to this URL. It must use HTTPS." required />
      <Field
        {...field('events')}
        type="textarea"
        hint="One per line: a record followed by .created, .changed, .deleted or .*, such as team.changed"
        required
      />
      <details>
        <summary>Records with events</summary>
        <p class="small">{data?.webhookRecords?.join(', ')}</p>
      </details>
      <Field
        {...field('contactEmail')}
        type="email"
        hint="Gets an email when the service pauses the webhook. The address must be confirmed first."
      />
    </>
  );
}
