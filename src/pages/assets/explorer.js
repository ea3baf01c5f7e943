/** Improves the accessibility of GraphiQL: labels elements without a label, and lets keyboard users leave its editors. */

const root = document.querySelector('#root');

/**
 * Sets an attribute, or removes it if the value is null. Skips unchanged values, because each write triggers the MutationObserver below.
 */
function setAttribute(element, name, value) {
  if (element === null || element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Exposes the tabs as a list with a current item, because elements with the role `tab` must not contain buttons. */
function labelTabs() {
  setAttribute(root.querySelector('.graphiql-tabs'), 'role', 'list');
  setAttribute(root.querySelector('#graphiql-session'), 'role', 'group');
  for (const item of root.querySelectorAll('.graphiql-tab')) {
    const name = item.querySelector('.graphiql-tab-button');
    setAttribute(item, 'role', 'listitem');
    setAttribute(item, 'aria-selected', null);
    setAttribute(name, 'aria-current', item.matches('.graphiql-tab-active') ? 'true' : null);
    setAttribute(item.querySelector('.graphiql-tab-close'), 'aria-label', `Close ${name?.textContent ?? ''}`);
  }
}

function labelEditors() {
  for (const editor of root.querySelectorAll('.graphiql-editor[tabindex]')) {
    const title = editor.closest('section')?.getAttribute('aria-label') ?? 'Editor';
    setAttribute(editor, 'role', 'group');
    setAttribute(editor, 'aria-label', `${title}: press Enter to edit, Escape to leave`);
  }
}

function labelFields() {
  for (const field of root.querySelectorAll('[data-arg-name] :is(input, select)'))
    setAttribute(field, 'aria-label', field.closest('[data-arg-name]').dataset.argName);
  for (const form of root.querySelectorAll('.graphiql-explorer-actions')) {
    setAttribute(form.querySelector('select'), 'aria-label', 'Operation type');
    setAttribute(form.querySelector('button'), 'aria-label', 'Add operation');
  }
}

/** Shows the prepared response of the page in the response editor, if the open tab still contains the operation of this response. */
function showResponse() {
  const example = JSON.parse(document.querySelector('#example-response').textContent);
  const readStorage = (key) => localStorage.getItem(`graphiql:${key}`) ?? '';
  if (example === null || readStorage('query') !== example.query || readStorage('variables') !== example.variables) return;
  const isResponse = ({ uri }) => uri.path.endsWith('response.json');
  const { editor } = globalThis.monaco;
  const model = editor.getModels().find(isResponse);
  if (model) {
    model.setValue(example.response);
    return;
  }
  const listener = editor.onDidCreateModel((created) => {
    if (!isResponse(created)) return;
    created.setValue(example.response);
    listener.dispose();
  });
}

showResponse();

let isScheduled = false;

function scheduleUpdate() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    labelTabs();
    labelEditors();
    labelFields();
    // Browsers show the titles of icons as tooltips, but the titles are only names from GraphiQL's source code.
    for (const title of root.querySelectorAll('svg > title')) title.remove();
  });
}

new MutationObserver(scheduleUpdate).observe(root, {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ['class', 'role', 'aria-selected'],
});
scheduleUpdate();

/**
 * The editors ignore changes of the system's color scheme. The page therefore keeps its initial scheme, unless the user chooses another one
 * in the settings.
 */
const system = matchMedia('(prefers-color-scheme: dark)');
const [initialTheme, otherTheme] = system.matches ? ['graphiql-dark', 'graphiql-light'] : ['graphiql-light', 'graphiql-dark'];
system.addEventListener('change', () => {
  const { classList } = document.body;
  if (!classList.contains(otherTheme)) classList.add(initialTheme);
});

/** Widgets of an editor that the Escape key closes. */
const openWidgets = ':is(.suggest-widget, .parameter-hints-widget, .find-widget).visible';

/**
 * Lets keyboard users leave an editor, in which the Tab key indents. The Escape key focuses the element around the editor, unless it closes
 * a widget.
 */
document.addEventListener(
  'keydown',
  (event) => {
    const editor = event.key === 'Escape' && event.target.matches('.inputarea') && event.target.closest('.graphiql-editor');
    if (editor && !editor.querySelector(openWidgets)) editor.focus();
  },
  { capture: true },
);
