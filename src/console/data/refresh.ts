import { useEffect, useRef } from 'preact/hooks';

/** Calls `refresh` every `seconds` while the page is visible, and when it becomes visible again. For data without a subscription. */
export function useRefresh(refresh: () => void, seconds: number): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const refreshIfVisible = () => document.visibilityState === 'visible' && latest.current();
    const timer = setInterval(refreshIfVisible, seconds * 1000);
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfVisible);
    };
  }, [seconds]);
}
