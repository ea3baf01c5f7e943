import type { ComponentChildren } from 'preact';
import { hrefOf } from '../router.ts';

const logoUrl = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href;

/** Bar at the top of all pages. Its first link lets keyboard users skip it. */
export const Bar = ({ children }: { children?: ComponentChildren }) => (
  <>
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="bar">
      <a class="home" href={hrefOf([])} aria-label="Courtside console, overview">
        <img src={logoUrl} alt="" width="28" height="28" />
        <span>Courtside</span>
      </a>
      {children}
    </header>
  </>
);
