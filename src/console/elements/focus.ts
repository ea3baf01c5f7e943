/** Moves the focus to the first control in a row of a table or list. Returns whether there is one. */
export function focusRow(row: unknown): boolean {
  const control = row instanceof HTMLElement && row.isConnected && row.querySelector<HTMLElement>('a, button');
  if (control) control.focus();
  return Boolean(control);
}

const isRow = (node: Node | null): boolean => node instanceof HTMLElement && node.matches('tr, li');

/**
 * When the focused element is removed, moves the focus to the next or previous row, or to the heading above. A heading with the attribute
 * `data-takes-focus`, such as the heading of the selected item, takes precedence over the page heading. By default, browsers move the focus
 * to the body, so keyboard users would have to start at the top of the page again.
 */
export function keepFocus(): void {
  let focused: Node | null = null;
  addEventListener('focusin', ({ target }) => {
    focused = target instanceof Node ? target : null;
  });
  // A click on text also moves the focus to the body, although no element was removed.
  addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Node && focused?.contains(target))) focused = null;
  });
  new MutationObserver((records) => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    const removal = records.find(
      ({ target, removedNodes }) => target.isConnected && [...removedNodes].some((node) => node.contains(focused)),
    );
    if ([removal?.nextSibling, removal?.previousSibling].some((node) => isRow(node ?? null) && focusRow(node))) return;
    const parent = removal?.target instanceof Element ? removal.target : document.body;
    const part = parent.closest(':has(h1, h2, h3)');
    const heading = part?.querySelector<HTMLElement>('[data-takes-focus]') ?? part?.querySelector<HTMLElement>('h1, h2, h3');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }).observe(document.body, { childList: true, subtree: true });
}
