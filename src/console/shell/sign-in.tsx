import { useRef, useState } from 'preact/hooks';
import type { Connection } from '../data/connection.ts';
import { type Failure, failureOf } from '../data/failure.ts';
import { type Session, type SessionEndReason, signIn } from '../data/session.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { Dialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { Heading } from '../elements/page.tsx';
import { Bar } from './bar.tsx';

interface SignInProps {
  readonly publishableKey: string;
  readonly demo: { readonly email: string; readonly password: string } | null;
  readonly connection: Connection;
  /** Session that has expired. It is renewed if the same user signs in. */
  readonly expired: Session | null;
  onSignIn(session: Session): void;
  /** Called when the new session ends. */
  onEnd(reason: SessionEndReason): void;
}

/** Page for users who are not signed in. */
export const SignInPage = ({ hasSignedOut, ...props }: SignInProps & { readonly hasSignedOut: boolean }) => (
  <>
    <Bar />
    <main id="content" tabIndex={-1} class="narrow">
      <Heading title="Sign in to the console" />
      {hasSignedOut && <p role="status">You have signed out.</p>}
      <SignInForm {...props} />
    </main>
  </>
);

/** Dialog over the page of an expired session. It stays open until a user has signed in. */
export const SignInDialog = (props: SignInProps) => (
  <Dialog title="Sign in again" hidesPage onClose={() => undefined}>
    <p>Your session has ended. Sign in again to continue. What you have entered is kept, unless another user signs in.</p>
    <SignInForm {...props} />
  </Dialog>
);

/** Form that signs the user in. It asks for a publishable key if none is configured. */
function SignInForm({ publishableKey, demo, connection, expired, onSignIn, onEnd }: SignInProps) {
  const [values, setValues] = useState({ publishableKey, email: '', password: '' });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRunning, setRunning] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    setRunning(true);
    setFailure(null);
    try {
      onSignIn(await signIn(values, connection, expired, onEnd));
    } catch (error) {
      setFailure(failureOf(error));
      setRunning(false);
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.select();
    }
  };
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    failure,
    onChange: (value: string) => setValues((previous) => ({ ...previous, [name]: value })),
  });
  return (
    <>
      <form ref={form} class="stack" onSubmit={submit}>
        {publishableKey === '' && (
          <Field
            {...field('publishableKey')}
            label="Publishable key"
            hint="A key of your platform, such as pk_…. To configure it for everybody, set CONSOLE_KEY."
            autoComplete="off"
            required
          />
        )}
        <Field {...field('email')} label="Email" type="email" autoComplete="username" required />
        <Field {...field('password')} label="Password" type="password" autoComplete="current-password" required />
        <FailureMessage failure={failure} />
        <ActionButton type="submit" isRunning={isRunning}>
          Sign in
        </ActionButton>
      </form>
      {demo && (
        <p class="quiet small">
          This service has demo data. The demo admin is <code>{demo.email}</code> with the password <code>{demo.password}</code>.{' '}
          <button type="button" class="link" onClick={() => setValues((previous) => ({ ...previous, ...demo }))}>
            Fill in
          </button>
        </p>
      )}
    </>
  );
}
