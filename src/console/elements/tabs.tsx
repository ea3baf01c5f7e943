import { hrefOf, useConsoleLocation } from '../router.ts';

/** Page of a task that has several pages. */
export interface Tab {
  /** Segment of the URL path after the path of the task. Undefined for the first page. */
  readonly segment: string | undefined;
  readonly title: string;
}

interface TabsProps {
  /** Title of the task, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Links between the pages of the current task. */
export function Tabs({ label, tabs }: TabsProps) {
  const [task = '', current] = useConsoleLocation().segments;
  return (
    <nav aria-label={label}>
      <ul class="tabs">
        {tabs.map(({ title, segment }) => (
          <li key={title}>
            <a
              class="tab"
              href={hrefOf(segment === undefined ? [task] : [task, segment])}
              aria-current={segment === current ? 'page' : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
