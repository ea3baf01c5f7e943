import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { newContext } from '../support/clients/browser.js';

/** A page in a browser, with its console errors and its requests to other origins. */
export interface BrowserPage {
  readonly page: Page;
  /** Errors on the console, uncaught errors and violations of the Content Security Policy. */
  readonly consoleErrors: string[];
  readonly foreignRequests: string[];
}

/** Opens an empty browser page with its own storage and closes it when the test finishes. `origin` is the service that it visits. */
export async function newBrowserPage(origin: string): Promise<BrowserPage> {
  const context = await newContext({ viewport: { width: 1280, height: 844 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  onTestFinished(async () => {
    // Route handlers can still run, and would fail when the page closes.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  const consoleErrors: string[] = [];
  const foreignRequests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(origin)) foreignRequests.push(request.url());
  });
  return { page, consoleErrors, foreignRequests };
}

/** axe rules that depend on colors. Only these rules run again in the second color scheme. */
export const colorRules = ['color-contrast', 'link-in-text-block'] as const;

/** Returns the accessibility violations that axe finds on a page, each as rule and element. Checks all rules, or only `rules`. */
export async function accessibilityViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source);
  return page.evaluate(
    async (runOnly) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, runOnly ? { runOnly } : {});
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    rules && [...rules],
  );
}

/**
 * Returns the pairs of visible elements that overlap, and the width in pixels by which the page scrolls horizontally. Ignores elements
 * behind an open dialog.
 */
export const overlapsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const root = document.querySelector('dialog[open]') ?? document;
    const visible = [...root.querySelectorAll('main:not(#root) :is(a, button, input, textarea, summary, h1, h2, h3, h4, p, td, th), .bar a')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
      .sort((a, b) => a.box.top - b.box.top);
    const name = ({ localName, textContent }) => localName + ' ' + textContent.trim().slice(0, 30);
    const overlap = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const overlaps = visible.flatMap((first, index) => {
      const below = visible.findIndex(({ box }, at) => at > index && box.top >= first.box.bottom);
      return visible.slice(index + 1, below < 0 ? visible.length : below)
        .filter(({ element, box }) => !first.element.contains(element) && !element.contains(first.element) && overlap(first.box, box))
        .map(({ element }) => name(first.element) + ' on ' + name(element));
    });
    const excessWidth = document.documentElement.scrollWidth - innerWidth;
    return excessWidth > 0 ? [...overlaps, 'scrolls horizontally by ' + excessWidth] : overlaps;
  })()`);

/** An element that received the keyboard focus. */
interface FocusedElement {
  /** Label of the element, or its text if it has no label. */
  name: string;
  hasFocusRing: boolean;
  /** Whether the element comes after the previously focused element in the document. */
  isInDocumentOrder: boolean;
}

/** Returns the elements that the Tab key reaches from the top of a page, at most `count`. */
export async function focusOrder(page: Page, count: number): Promise<FocusedElement[]> {
  const elements: FocusedElement[] = [];
  await page.evaluate(`globalThis.previous = document.body`);
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate('document.activeElement === document.body')) break;
    elements.push(
      await page.evaluate(`(() => {
        const { activeElement: element } = document;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const isInDocumentOrder = Boolean(globalThis.previous.compareDocumentPosition(element) & (4 | 16));
        globalThis.previous = element;
        const name = (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent).trim();
        return { name, hasFocusRing: outlineStyle !== 'none' && outlineWidth !== '0px', isInDocumentOrder };
      })()`),
    );
  }
  return elements;
}
