import type { FunctionComponent } from 'preact';
import { NotFound } from '../elements/not-found.tsx';
import { Page } from '../elements/page.tsx';
import { type Tab, Tabs } from '../elements/tabs.tsx';
import { useConsoleLocation } from '../router.ts';
import { AuditTrail } from './audit-trail.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { FailedMessages } from './failed-messages.tsx';
import { Health } from './health.tsx';

interface Part extends Tab {
  readonly Content: FunctionComponent;
}

const parts: readonly Part[] = [
  { segment: undefined, title: 'Health', Content: Health },
  { segment: 'messages', title: 'Failed messages', Content: FailedMessages },
  { segment: 'jobs', title: 'Failed jobs', Content: FailedJobs },
  { segment: 'audit', title: 'Audit trail', Content: AuditTrail },
];

/** Task that shows the state of the service, retries failed messages and jobs, and searches the audit trail. */
export default function Operations() {
  const [, segment, ...rest] = useConsoleLocation().segments;
  const current = parts.find((part) => part.segment === segment);
  if (!current || rest.length > 0) return <NotFound back={['operations']} backLabel="Go to the health of the service" />;
  return (
    <Page title={current.title}>
      <Tabs label="Operations" tabs={parts} />
      <current.Content />
    </Page>
  );
}
