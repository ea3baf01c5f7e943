import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** URL path of the console. */
const basePath = '/console';

/** Location in the console, as in the URL of the browser. */
export interface ConsoleLocation {
  /** Segments of the path, without the base path: `/console/users/42` is `['users', '42']`. */
  readonly segments: readonly string[];
  readonly search: URLSearchParams;
}

const changed = 'console:location';

/** Decodes a segment of the path. Returns a malformed segment unchanged. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const readLocation = (): ConsoleLocation => ({
  segments: location.pathname.slice(basePath.length).split('/').filter(Boolean).map(decodeSegment),
  search: new URLSearchParams(location.search),
});

let latest: { readonly href: string; readonly location: ConsoleLocation } | undefined;

/** Returns the current location. Returns the same object until the URL changes. */
function currentLocation(): ConsoleLocation {
  if (latest?.href !== location.href) latest = { href: location.href, location: readLocation() };
  return latest.location;
}

/** Returns the URL of a location in the console. Search parameters without a value are omitted. */
export function hrefOf(segments: readonly string[], search: Readonly<Record<string, string | null | undefined>> = {}): string {
  const path = [basePath, ...segments.map(encodeURIComponent)].join('/');
  const entries = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length > 0 ? `${path}?${new URLSearchParams(entries)}` : path;
}

/** Position of the user on a page. */
interface Position {
  /**
   * URL of the focused link in the content of the page, which is usually the link that the user has opened. Null if no link has the focus.
   */
  readonly link: string | null;
  readonly scroll: number;
}

/** Positions on the pages that the user has left, by URL, latest last. */
const positions = new Map<string, Position>();
/** Position to restore when the content of the page is loaded. */
let positionToRestore: Position | undefined;

function rememberPosition(): void {
  const { activeElement: element } = document;
  if (!latest) return;
  const link = element instanceof HTMLAnchorElement && element.closest('main') ? element.href : null;
  positions.delete(latest.href);
  positions.set(latest.href, { link, scroll: scrollY });
}

/**
 * Restores the scroll position and the focus on a page that the user has left before. Does nothing if the user has already focused another
 * element.
 */
export function restorePosition(): void {
  if (!positionToRestore) return;
  const { link, scroll } = positionToRestore;
  positionToRestore = undefined;
  if (!document.activeElement?.matches('h1, body')) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')];
  links.find(({ href }) => href === link)?.focus({ preventScroll: true });
  scrollTo(0, scroll);
}

/** Clears the positions, for example because another user has signed in. */
export function forgetPositions(): void {
  positions.clear();
  positionToRestore = undefined;
}

/** Returns the latest URL at which the user has seen a list, with its filters. */
export function latestHrefOf(segments: readonly string[]): string {
  const href = hrefOf(segments);
  // Forms have the same path and the parameter `view`.
  const isList = ({ pathname, searchParams }: URL) => pathname === href && !searchParams.has('view');
  return [...positions.keys()].findLast((visited) => isList(new URL(visited))) ?? href;
}

interface NavigateOptions {
  /** Whether the URL replaces the current entry of the browser history. */
  readonly replaces?: boolean;
  /** Whether to restore the position that the user had on the page. */
  readonly returns?: boolean;
}

/** Opens a URL of the console without loading the page again. */
export function navigate(href: string, { replaces = false, returns = false }: NavigateOptions = {}): void {
  if (!replaces) rememberPosition();
  if (replaces) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  positionToRestore = returns ? positions.get(location.href) : undefined;
  dispatchEvent(new Event(changed));
}

/** Changes search parameters of the current URL, such as filters. Null removes a parameter. */
export function changeSearch(changes: Readonly<Record<string, string | null>>, options?: NavigateOptions): void {
  const { segments, search } = currentLocation();
  navigate(hrefOf(segments, { ...Object.fromEntries(search), ...changes }), options);
}

/** Questions that the user must confirm to leave the page, keyed by the component that asks. Empty if nothing would be lost. */
const leaveQuestions = new Map<symbol, string>();

/** Whether something would be lost if the user left the page. */
export const hasUnsavedInput = (): boolean => leaveQuestions.size > 0;

/** Asks whether the user wants to leave the page, if something would be lost. The latest question comes first. */
export const mayLeave = (): boolean => [...leaveQuestions.values()].toReversed().every((question) => confirm(question));

/**
 * Asks the user before a link, the browser history, a caller of `mayLeave` or the browser itself leaves the page. If `question` is null,
 * the user is not asked.
 */
export function useLeaveQuestion(question: string | null): void {
  useLayoutEffect(() => {
    if (question === null) return;
    const id = Symbol(question);
    leaveQuestions.set(id, question);
    // Browsers show their own question.
    const keepPage = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', keepPage);
    return () => {
      leaveQuestions.delete(id);
      removeEventListener('beforeunload', keepPage);
    };
  }, [question]);
}

/**
 * Opens console links and browser history entries without reloading the page. Links that open another tab are not
 * affected.
 */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const { pathname = '', origin, search = '' } = link ?? {};
    const isInConsole = pathname === basePath || pathname.startsWith(`${basePath}/`);
    if (!link || origin !== location.origin || !isInConsole || link.target || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    if (!mayLeave()) return;
    // Some browsers do not focus a link that is clicked.
    link.focus({ preventScroll: true });
    navigate(pathname + search, { returns: 'returns' in link.dataset });
  });
  // Browsers would restore the scroll position before the content is loaded.
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    if (mayLeave()) {
      rememberPosition();
      positionToRestore = positions.get(location.href);
      dispatchEvent(new Event(changed));
    } else if (latest) history.pushState(null, '', latest.href);
  });
}

/** Returns the current location. The component renders again when the location changes. */
export function useConsoleLocation(): ConsoleLocation {
  const [location, setLocation] = useState(currentLocation);
  useEffect(() => {
    const update = () => setLocation(currentLocation());
    addEventListener(changed, update);
    // The location may have changed between the first rendering and this effect.
    update();
    return () => removeEventListener(changed, update);
  }, []);
  return location;
}
