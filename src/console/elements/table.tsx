import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { List } from '../data/queries.ts';
import { restorePosition } from '../router.ts';
import { ActionButton } from './action-button.tsx';
import { focusRow } from './focus.ts';
import { FailureMessage, Loading } from './messages.tsx';

/** Column of a table. */
export interface Column<Row> {
  readonly title: string;
  cell(row: Row): ComponentChildren;
  readonly isNumber?: boolean;
  /** Field by which the rows are sorted when the user selects the heading of the column. */
  readonly orderBy?: string;
}

/** Order of a table: a field, and its direction. */
export interface Order {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

interface TableProps<Row> {
  /** Description of the rows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly list: List<Row>;
  keyOf(row: Row): string;
  /** Message if there are no rows. */
  readonly emptyText: string;
  readonly order?: Order;
  onOrder?(order: Order): void;
}

/** Table of a list. It has states for loading, errors and no rows, sorts by columns, and loads more rows on request. */
export function Table<Row>({ caption, columns, list, keyOf, emptyText, order, onOrder }: TableProps<Row>) {
  return (
    <ListStates list={list} emptyText={emptyText}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables can be scrolled with the keyboard */}
      <section class="table stacked" aria-label={caption} tabIndex={0}>
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Header key={column.title} {...{ column, order, onOrder }} />
              ))}
            </tr>
          </thead>
          <tbody>
            {list.items.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ title, cell, isNumber }, index) =>
                  index === 0 ? (
                    <th key={title} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={title} class={isNumber ? 'number' : undefined} data-title={title}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </ListStates>
  );
}

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
  readonly onOrder: ((order: Order) => void) | undefined;
}

function Header<Row>({ column: { title, isNumber, orderBy }, order, onOrder }: HeaderProps<Row>) {
  const className = isNumber ? 'number' : undefined;
  if (!orderBy || !onOrder)
    return (
      <th scope="col" class={className}>
        {title}
      </th>
    );
  const direction = order?.field === orderBy ? order.direction : null;
  const next = { field: orderBy, direction: direction === 'ASC' ? ('DESC' as const) : ('ASC' as const) };
  return (
    <th scope="col" class={className} aria-sort={direction ? (direction === 'ASC' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" class="sort" onClick={() => onOrder(next)}>
        {title}
      </button>
    </th>
  );
}

interface ListStatesProps {
  readonly list: List<unknown>;
  readonly emptyText: string;
  readonly children: ComponentChildren;
}

/**
 * Shows the items of a list and a button to load more. Without items, shows a message: they are loading, there are none, or they could not
 * be loaded.
 */
export function ListStates({ list, emptyText, children }: ListStatesProps) {
  const { items, failure, isLoading, isLoadingMore, hasMore, loadMore, reload } = list;
  const paragraph = useRef<HTMLParagraphElement>(null);
  const firstNewRow = useRef<() => unknown>(() => undefined);
  // Moves the focus from the button to the first row of the last page, because the button disappears.
  useLayoutEffect(() => {
    if (!hasMore && document.activeElement === document.body) focusRow(firstNewRow.current());
  }, [hasMore]);
  useEffect(() => {
    if (!isLoading && !isLoadingMore) restorePosition();
  }, [isLoading, isLoadingMore]);
  const loadAndFocus = () => {
    const rows = paragraph.current?.previousElementSibling;
    firstNewRow.current = () => rows?.querySelectorAll('tbody tr, li')[items.length];
    loadMore();
  };
  return (
    <>
      <FailureMessage failure={failure} onRetry={reload} />
      {isLoading && <Loading />}
      {!isLoading && !failure && items.length === 0 && <p class="card empty">{emptyText}</p>}
      {items.length > 0 && children}
      {hasMore && (
        <p ref={paragraph}>
          <ActionButton class="plain" isRunning={isLoadingMore} onClick={loadAndFocus}>
            {isLoadingMore ? 'Loading…' : 'Load more'}
          </ActionButton>
        </p>
      )}
    </>
  );
}
