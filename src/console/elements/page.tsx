import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useConsoleLocation } from '../router.ts';

/** Heading of a page, which is also the title of the browser tab. It gets the focus, so that screen readers announce the new page. */
export function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} – Courtside console`;
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
}

/** Content of a page. Its heading gets the focus when the path changes, but not when only search parameters change. */
export const Page = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <>
    <Heading key={useConsoleLocation().segments.join('/')} title={title} />
    {children}
  </>
);
