import { useState } from 'preact/hooks';
import { useQuery, useReloadOnChange, useSession } from '../data/index.ts';
import { BackLink } from '../elements/back-link.tsx';
import { Facts } from '../elements/facts.tsx';
import { DateTime } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { RecordHistory } from '../history/record-history.tsx';
import { type Platform, PlatformById } from './documents.ts';
import { Keys } from './keys.tsx';
import { Limits } from './limits.tsx';
import { Settings } from './settings.tsx';
import { Token } from './token.tsx';
import { UsageSummary } from './usage-summary.tsx';

/** Page of a platform: settings, token, keys, limits, usage and history. */
export function PlatformPage({ id }: { id: string }) {
  const query = useQuery(PlatformById, { id });
  const { platform } = query.data ?? {};
  return (
    <Page title={platform?.title ?? 'Platform'}>
      <p class="above">
        <BackLink segments={['platforms']}>All platforms</BackLink>
      </p>
      <QueryStates query={query}>
        {({ platform, liveCursor }) =>
          platform ? (
            <PlatformDetails platform={platform} cursor={liveCursor} reload={query.reload} />
          ) : (
            <p class="card">No platform has this ID.</p>
          )
        }
      </QueryStates>
    </Page>
  );
}

function PlatformDetails({ platform, cursor, reload }: { platform: Platform; cursor: string | null; reload(): void }) {
  const { viewer } = useSession();
  const [keyVersion, setKeyVersion] = useState(0);
  useReloadOnChange('Platform', cursor, reload, platform.id);
  useReloadOnChange('PublishableKey', cursor, () => setKeyVersion((version) => version + 1));
  return (
    <>
      <Facts
        facts={[
          ['State', platform.isEnabled ? 'Enabled' : 'Disabled'],
          ['Domain', platform.domain],
          ['ID', <code>{platform.id}</code>],
          ['Created', <DateTime at={platform.createdAt} />],
          ['Last change', <DateTime at={platform.updatedAt} />],
          ['Changed by', platform.updatedBy ?? platform.createdBy],
        ]}
      />
      {platform.viewerCan.update && <Settings platform={platform} />}
      {platform.viewerCan.update && <Token platform={platform} />}
      {viewer.isSuperAdmin && <Keys platform={platform} version={keyVersion} />}
      <Limits platformId={platform.id} />
      <UsageSummary platformId={platform.id} />
      <RecordHistory key={`history ${platform.updatedAt}`} type="Platform" id={platform.id} />
    </>
  );
}
