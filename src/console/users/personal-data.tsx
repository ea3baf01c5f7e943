import { graphql } from 'courtside-sdk';
import { useState } from 'preact/hooks';
import { useMutation, useQueryOnRequest } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { nameOf, type User } from './user.ts';

const Export = graphql('query ConsoleExportUser($id: ID!) { exportUser(id: $id) }');
const Erase = graphql(`mutation ConsoleEraseUser($id: ID!) {
  eraseUser(id: $id) {
    user { id erasedAt firstName lastName email slug grantedRoles { id } roles { id } }
    deletedUserImageIds deletedBiographyIds deletedApprovalIds deletedApprovalCommentIds deletedFavoriteIds deletedReactionIds
    deletedNotificationIds deletedCalendarLinkIds deletedUserTokenIds
  }
}`);

/** Downloads or erases the data about a user. */
export function PersonalData({ user, onErase }: { user: User; onErase(): void }) {
  const exportUser = useQueryOnRequest(Export);
  const [isErasing, setErasing] = useState(false);
  const notify = useNotify();
  const download = async () => {
    const { data } = await exportUser.run({ id: user.id });
    if (!data) return;
    downloadJson(`user-${user.slug}.json`, data.exportUser);
    notify({ text: 'The export was downloaded. It contains personal data: store it safely.' });
  };
  return (
    <section aria-labelledby="personal-data">
      <h2 id="personal-data">Personal data</h2>
      <p class="quiet">
        An export contains everything about the user, as JSON. Erasing deletes the personal data. Results, teams and invoices
        remain.
      </p>
      <FailureMessage failure={exportUser.failure} />
      <p class="row">
        <ActionButton class="plain" isRunning={exportUser.isRunning} onClick={() => void download()}>
          {exportUser.isRunning ? 'Exporting…' : 'Export data'}
        </ActionButton>
        {user.viewerCan.administer && (
          <button type="button" class="danger" onClick={() => setErasing(true)}>
            Erase user…
          </button>
        )}
      </p>
      {isErasing && <EraseDialog user={user} onErase={onErase} onClose={() => setErasing(false)} />}
    </section>
  );
}

function EraseDialog({ user, onErase, onClose }: { user: User; onErase(): void; onClose(): void }) {
  const erase = useMutation(Erase);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await erase.run({ id: user.id });
    if (failure) return;
    onClose();
    onErase();
    notify({ text: `${nameOf(user)} was erased.` });
  };
  return (
    <ConfirmDialog
      title={`Erase ${nameOf(user)}?`}
      confirmLabel="Erase user"
      typedText={user.slug}
      isRunning={erase.isRunning}
      failure={erase.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        This permanently deletes the name, addresses, sessions, images, biographies, comments, favorites, reactions and
        notifications of the user. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

/** Saves a value as a JSON file. */
function downloadJson(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
