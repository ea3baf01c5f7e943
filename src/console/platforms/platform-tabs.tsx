import { useSession } from '../data/index.ts';
import { type Tab, Tabs } from '../elements/tabs.tsx';

const tabs: readonly Tab[] = [
  { title: 'Platforms', segment: undefined },
  { title: 'Usage', segment: 'usage' },
];

/** Links between the pages of the platform task. */
export function PlatformTabs() {
  const { viewer } = useSession();
  // Only super admins can read and announce deprecations.
  return (
    <Tabs label="Platforms" tabs={viewer.isSuperAdmin ? [...tabs, { title: 'Deprecated routes', segment: 'routes' }] : tabs} />
  );
}
