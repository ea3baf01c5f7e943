import { graphql, type ResultOf } from 'courtside-sdk';
import { useState } from 'preact/hooks';
import { type Failure, useMutation, useQuery } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { nameOf, type User } from './user.ts';

const RolesQuery = graphql('query ConsoleRoles { roles { nodes { id title module description inherits { id title } } } }');
const Grant = graphql(`mutation ConsoleGrantRole($userId: ID!, $roleId: ID!, $email: String) {
  grantRole(userId: $userId, roleId: $roleId, email: $email) { id roles { id title } grantedRoles { id title } }
}`);
const Revoke = graphql(`mutation ConsoleRevokeRole($userId: ID!, $roleId: ID!) {
  revokeRole(userId: $userId, roleId: $roleId) { id roles { id title } grantedRoles { id title } }
}`);

type Role = NonNullable<ResultOf<typeof RolesQuery>['roles']>['nodes'][number];

/** Returns the title of a group of roles: the module in which they grant permissions. */
const groupOf = ({ module }: Role): string => (module ? module.charAt(0).toUpperCase() + module.slice(1) : 'General');

/** Roles of a user by module, with buttons to grant and revoke them. For super admins. */
export function Roles({ user }: { user: User }) {
  const query = useQuery(RolesQuery, {});
  const revoke = useMutation(Revoke);
  const [roleToGrant, setRoleToGrant] = useState<Role | null>(null);
  const notify = useNotify();
  const revokeRole = async (role: Role) => {
    const { failure } = await revoke.run({ userId: user.id, roleId: role.id });
    if (!failure)
      notify({ text: `${role.title} revoked from ${nameOf(user)}.`, action: { label: 'Undo', run: () => setRoleToGrant(role) } });
  };
  return (
    <section aria-labelledby="roles">
      <h2 id="roles">Roles</h2>
      {user.isSuperAdmin && <p>This user is a super admin and has every role. Operators change this on the command line.</p>}
      <FailureMessage failure={revoke.failure} />
      <QueryStates query={query}>
        {({ roles }) =>
          [...Map.groupBy(roles?.nodes ?? [], groupOf)].map(([group, members]) => (
            <div key={group} class="stack">
              <h3>{group}</h3>
              <ul class="entries">
                {members.map((role) => (
                  <RoleItem
                    key={role.id}
                    {...{ user, role }}
                    isRunning={revoke.isRunning}
                    onGrant={() => setRoleToGrant(role)}
                    onRevoke={() => void revokeRole(role)}
                  />
                ))}
              </ul>
            </div>
          ))
        }
      </QueryStates>
      {roleToGrant && (
        <GrantDialog
          {...{ user, role: roleToGrant }}
          onUndo={() => void revokeRole(roleToGrant)}
          onClose={() => setRoleToGrant(null)}
        />
      )}
    </section>
  );
}

interface RoleItemProps {
  readonly user: User;
  readonly role: Role;
  readonly isRunning: boolean;
  onGrant(): void;
  onRevoke(): void;
}

function RoleItem({ user, role, isRunning, onGrant, onRevoke }: RoleItemProps) {
  const isGranted = user.grantedRoles?.some(({ id }) => id === role.id) ?? false;
  const isInherited = !isGranted && (user.roles?.some(({ id }) => id === role.id) ?? false);
  return (
    <li>
      <div>
        <strong>{role.title}</strong> {isGranted && <span class="tag">Granted</span>}
        {isInherited && <span class="tag">Inherited</span>}
        <p class="quiet small">{role.description}</p>
      </div>
      <ActionButton
        class="plain"
        isRunning={isRunning}
        aria-label={`${isGranted ? 'Revoke' : 'Grant'} ${role.title}`}
        onClick={isGranted ? onRevoke : onGrant}
      >
        {isGranted ? 'Revoke' : 'Grant'}
      </ActionButton>
    </li>
  );
}

interface GrantDialogProps {
  readonly user: User;
  readonly role: Role;
  onUndo(): void;
  onClose(): void;
}

const unconfirmedMessage = 'The user has not confirmed the email address. To grant the role, enter the correct address.';

/**
 * Returns the failure to show after a role could not be granted. Replaces the text of a CONFLICT, which means that the email address is
 * missing or wrong.
 */
const failureOf = (failure: Failure | null): Failure | null =>
  failure?.code === 'CONFLICT' ? { ...failure, message: unconfirmedMessage } : failure;

/**
 * Asks the viewer to confirm the grant of a role. If the user has not confirmed their email address, also asks for the address, which the
 * service then requires.
 */
function GrantDialog({ user, role, onUndo, onClose }: GrantDialogProps) {
  const grant = useMutation(Grant);
  const notify = useNotify();
  const [email, setEmail] = useState('');
  const needsEmail = grant.failure?.code === 'CONFLICT' || email !== '';
  const confirm = async () => {
    const { failure } = await grant.run({ userId: user.id, roleId: role.id, email: email || null });
    if (failure) return;
    onClose();
    notify({ text: `${role.title} granted to ${nameOf(user)}.`, action: { label: 'Undo', run: onUndo } });
  };
  return (
    <ConfirmDialog
      title={`Grant ${role.title} to ${nameOf(user)}?`}
      confirmLabel="Grant role"
      isRunning={grant.isRunning}
      failure={failureOf(grant.failure)}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{role.description}</p>
      {role.inherits.length > 0 && <p>It includes: {role.inherits.map(({ title }) => title).join(', ')}.</p>}
      {needsEmail && (
        <Field
          label="Email address of the user"
          hint="The user has not confirmed the address. Ask them for it. Granting the role removes their password and sessions. They can set a new password by email."
          name="email"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="off"
          autoFocus
        />
      )}
    </ConfirmDialog>
  );
}
