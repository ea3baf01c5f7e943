import { NotFound } from '../elements/not-found.tsx';
import { useConsoleLocation } from '../router.ts';
import { DeprecationList } from './deprecation-list.tsx';
import { PlatformList } from './platform-list.tsx';
import { PlatformPage } from './platform-page.tsx';
import { UsagePage } from './usage-page.tsx';

/** Task that manages platforms, shows their usage, and deprecates routes. */
export default function Platforms() {
  const [, view, id, ...rest] = useConsoleLocation().segments;
  if (view === undefined) return <PlatformList />;
  if (view === 'usage' && id === undefined) return <UsagePage />;
  if (view === 'routes' && id === undefined) return <DeprecationList />;
  if (view === 'details' && id !== undefined && rest.length === 0) return <PlatformPage key={id} id={id} />;
  return <NotFound back={['platforms']} backLabel="Go to all platforms" />;
}
