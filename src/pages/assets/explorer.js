/** Names what GraphiQL leaves without a name, and opens a way out of its editors for those who go by keyboard. */

const root = document.querySelector('#root');

/** Sets an attribute, or takes it away, where it is not so yet: what is set is seen as a change again. */
function put(element, name, value) {
  if (element === null || element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Tabs may not hold buttons, and these hold two: they are a list, one of which is current. */
function nameTabs() {
  put(root.querySelector('.graphiql-tabs'), 'role', 'list');
  put(root.querySelector('#graphiql-session'), 'role', 'group');
  for (const item of root.querySelectorAll('.graphiql-tab')) {
    const name = item.querySelector('.graphiql-tab-button');
    put(item, 'role', 'listitem');
    put(item, 'aria-selected', null);
    put(name, 'aria-current', item.matches('.graphiql-tab-active') ? 'true' : null);
    put(item.querySelector('.graphiql-tab-close'), 'aria-label', `Close ${name?.textContent ?? ''}`);
  }
}

function nameEditors() {
  for (const editor of root.querySelectorAll('.graphiql-editor[tabindex]')) {
    const title = editor.closest('section')?.getAttribute('aria-label') ?? 'Editor';
    put(editor, 'role', 'group');
    put(editor, 'aria-label', `${title}: Enter edits, Escape leaves`);
  }
}

function nameFields() {
  for (const field of root.querySelectorAll('[data-arg-name] :is(input, select)'))
    put(field, 'aria-label', field.closest('[data-arg-name]').dataset.argName);
  for (const form of root.querySelectorAll('.graphiql-explorer-actions')) {
    put(form.querySelector('select'), 'aria-label', 'Kind of operation');
    put(form.querySelector('button'), 'aria-label', 'Add an operation');
  }
}

/** Shows the answer that came with the page in the response editor, if the open tab still has its operation. */
function showAnswer() {
  const example = JSON.parse(document.querySelector('#answer').textContent);
  const stored = (key) => localStorage.getItem(`graphiql:${key}`) ?? '';
  if (example === null || stored('query') !== example.query || stored('variables') !== example.variables) return;
  const isResponse = ({ uri }) => uri.path.endsWith('response.json');
  const { editor } = globalThis.monaco;
  const model = editor.getModels().find(isResponse);
  if (model) {
    model.setValue(example.answer);
    return;
  }
  const listener = editor.onDidCreateModel((created) => {
    if (!isResponse(created)) return;
    created.setValue(example.answer);
    listener.dispose();
  });
}

showAnswer();

let isDue = false;

function soon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    nameTabs();
    nameEditors();
    nameFields();
    // Icons would show the names that they have in its source.
    for (const title of root.querySelectorAll('svg > title')) title.remove();
  });
}

new MutationObserver(soon).observe(root, {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ['class', 'role', 'aria-selected'],
});
soon();

/** Its editors keep the scheme that they were opened in: when the system changes it, so does all else, until the page is loaded again. */
const system = matchMedia('(prefers-color-scheme: dark)');
const [own, other] = system.matches ? ['graphiql-dark', 'graphiql-light'] : ['graphiql-light', 'graphiql-dark'];
system.addEventListener('change', () => {
  const { classList } = document.body;
  if (!classList.contains(other)) classList.add(own);
});

/** What in an editor is closed by Escape. */
const opened = ':is(.suggest-widget, .parameter-hints-widget, .find-widget).visible';

/** In an editor the Tab key indents; Escape, where it has nothing to close, goes back to what holds the editor. */
document.addEventListener(
  'keydown',
  (event) => {
    const editor = event.key === 'Escape' && event.target.matches('.inputarea') && event.target.closest('.graphiql-editor');
    if (editor && !editor.querySelector(opened)) editor.focus();
  },
  { capture: true },
);
