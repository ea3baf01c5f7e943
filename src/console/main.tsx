import { render } from 'preact';
import { keepFocus } from './elements/focus.ts';
import { followLinks } from './router.ts';
import { App } from './shell/app.tsx';

const root = document.querySelector<HTMLElement>('#console');
if (root) {
  const { publishableKey = '', demoEmail, demoPassword } = root.dataset;
  const demo = demoEmail && demoPassword ? { email: demoEmail, password: demoPassword } : null;
  followLinks();
  keepFocus();
  root.replaceChildren();
  render(<App publishableKey={publishableKey} demo={demo} />, root);
}
