import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface PictureProps {
  readonly url: string;
  /** Alternative text. */
  readonly text: string;
  readonly className: string;
  /** Shown instead if the picture cannot be loaded. Default: nothing. */
  readonly fallback?: ComponentChildren;
}

/** Whether the Content Security Policy permits showing a picture. It permits only `https` and `data` URLs. */
export const isPictureUrl = (url: string): boolean => /^(?:https:|data:image\/)/.test(url);

/** Picture from any host. The request does not contain the URL of the console. */
export function Picture({ url, text, className, fallback = null }: PictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (failedUrl === url || !isPictureUrl(url)) return <>{fallback}</>;
  return (
    <img class={className} src={url} alt={text} loading="lazy" referrerPolicy="no-referrer" onError={() => setFailedUrl(url)} />
  );
}
