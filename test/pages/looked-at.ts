import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

/** A page in a browser, with what the browser had to say against it and whom else it asked. */
export interface LookedAt {
  readonly page: Page;
  readonly complaints: string[];
  readonly strangers: string[];
}

/** Opens pages of a service as people see them. */
export async function look(browser: Browser, origin: string): Promise<LookedAt> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 844 }, reducedMotion: 'reduce' });
  const [complaints, strangers]: [string[], string[]] = [[], []];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(origin)) strangers.push(request.url());
  });
  return { page, complaints, strangers };
}

/** What axe finds in a whole page, as the rule and where. */
export async function findingsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const checker = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await checker.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

/** Links, buttons, fields and headings that lie on each other, and how far the page can be scrolled sideways. */
export const overlapsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const seen = [...document.querySelectorAll('main:not(#root) :is(a, button, input, textarea, summary, h1, h2, h3, h4, p, td, th), .bar a')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1);
    const name = ({ localName, textContent }) => localName + ' ' + textContent.trim().slice(0, 30);
    const laps = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const found = seen.flatMap((one, index) =>
      seen.slice(index + 1)
        .filter((other) => !one.element.contains(other.element) && !other.element.contains(one.element) && laps(one.box, other.box))
        .map((other) => name(one.element) + ' on ' + name(other.element)));
    const sideways = document.documentElement.scrollWidth - innerWidth;
    return sideways > 0 ? [...found, 'scrolls sideways by ' + sideways] : found;
  })()`);

/** What one reaches by the Tab key from the top, at most as many as asked, and whether each shows that it has the focus. */
export async function tabbed(page: Page, count: number): Promise<{ name: string; isShown: boolean; isBehind: boolean }[]> {
  const reached: { name: string; isShown: boolean; isBehind: boolean }[] = [];
  await page.evaluate(`globalThis.before = document.body`);
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate('document.activeElement === document.body')) break;
    reached.push(
      await page.evaluate(`(() => {
        const { activeElement: now } = document;
        const { outlineStyle, outlineWidth } = getComputedStyle(now);
        const isBehind = Boolean(globalThis.before.compareDocumentPosition(now) & (4 | 16));
        globalThis.before = now;
        const name = (now.getAttribute('aria-label') ?? now.labels?.[0]?.textContent ?? now.textContent).trim();
        return { name, isShown: outlineStyle !== 'none' && outlineWidth !== '0px', isBehind };
      })()`),
    );
  }
  return reached;
}
