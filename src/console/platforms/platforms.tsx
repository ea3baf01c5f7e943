import { Page } from '../elements/page.tsx';
import { usePlace } from '../router.ts';
import { DeprecationList } from './deprecation-list.tsx';
import { PlatformList } from './platform-list.tsx';
import { PlatformPage } from './platform-page.tsx';
import { PlatformTabs } from './platform-tabs.tsx';
import { UsagePage } from './usage-page.tsx';

/** Task that manages platforms, shows their usage, and deprecates routes. */
export default function Platforms() {
  const [, view, id] = usePlace().segments;
  if (view === 'usage') return <UsagePage />;
  if (view === 'routes') return <DeprecationList />;
  if (view === 'details' && id !== undefined) return <PlatformPage key={id} id={id} />;
  if (view === undefined) return <PlatformList />;
  return (
    <Page title="Page not found">
      <PlatformTabs />
      <p class="card">This page does not exist.</p>
    </Page>
  );
}
