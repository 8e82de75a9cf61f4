import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { isReachable } from '../api/service.ts';
import type { Paging } from '../state/pages.ts';
import { type Figure, formatSigned } from '../text/format.ts';
import { Icon } from './Icon.tsx';
import { ProblemNote, Skeleton } from './States.tsx';
import { useSentinel, useWindow } from './scrolling.ts';
import { Text } from './Text.tsx';

export interface Column<Row> {
  id: string;
  header: string;
  /** What stands in its heading instead. */
  head?: ComponentChildren;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
  /** The number that is shown, by which the column is wide enough for all of them. */
  figure?: (row: Row) => Figure;
  /** Hidden below 1,100 px, or below 640 px. */
  from?: 'wide' | 'medium';
  /** Shown only below 640 px. */
  isForPhones?: boolean;
  /** In pixels, and at least; the other columns share the rest. */
  width?: number;
  /** How the list is asked for in its order; a minus means the largest first. */
  sort?: string;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => string | number;
  rowClass?: (row: Row) => string;
  empty: ComponentChildren;
  /** Of a list that grows page by page. */
  paging?: Paging;
  /** The order it is in, and what to do when another one is asked for. */
  order?: string;
  onOrder?: (sort: string) => void;
  /** The orders that can be asked for now. */
  sorts?: readonly string[];
}

const ROWS_AT_FIRST = 8;

/** Of a long list only the rows in sight are in the page. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, paging } = props;
  const { hasMore = false, isStale = false, moreError, more } = paging ?? {};
  const columns = useColumns(props);
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = useWindow(body, rows?.length ?? 0);
  const sentinel = useSentinel(hasMore && !moreError ? more : undefined, rows?.length && rows);
  const isEmpty = rows?.length === 0 && !hasMore;
  if (isEmpty && !isStale) return <>{props.empty}</>;
  const hasFailed = moreError !== undefined && isReachable.value;
  const isWaiting = rows === undefined || isEmpty || (hasMore && !hasFailed);
  return (
    <>
      <table
        class="table"
        aria-label={props.label}
        aria-busy={rows === undefined || isStale}
        aria-rowcount={hasMore ? -1 : (rows?.length ?? 0) + 1}
      >
        <Head {...props} columns={columns} />
        <tbody ref={body} inert={isStale && rows !== undefined}>
          {shown.above > 0 && <Spacer height={shown.above} />}
          <BodyRows {...props} columns={columns} {...shown} />
          {shown.below > 0 && <Spacer height={shown.below} />}
          {isWaiting && <Waiting columns={columns} few={rows !== undefined} />}
        </tbody>
      </table>
      {hasFailed && more && <ProblemNote error={moreError} retry={more} />}
      <div ref={sentinel} />
    </>
  );
}

/** Rows that answer the question before stay under their own headings. */
function useColumns<Row>({ columns, rows, paging }: TableProps<Row>): Column<Row>[] {
  const answered = useRef(columns);
  if (!paging?.isStale || rows === undefined) answered.current = columns;
  return answered.current;
}

type BodyRowsProps<Row> = TableProps<Row> & { first: number; last: number };

/** The header is the first row of the table. */
function BodyRows<Row>(props: BodyRowsProps<Row>) {
  const { columns, rows, rowKey, rowClass, first, last } = props;
  return rows?.slice(first, last).map((row, index) => (
    <tr
      key={rowKey(row)}
      data-key={rowKey(row)}
      class={rowClass?.(row) ?? ''}
      aria-rowindex={first + index + 2}
    >
      {columns.map((column) => (
        <td key={column.id} class={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ));
}

/** What is in them may reach beyond the cell: a menu, and the outline of a button. */
const OPEN_CELLS = ['actions', 'menu-cell', 'select'];

const classOf = <Row,>(column: Column<Row>): string =>
  [
    column.isNumber && 'end',
    column.from,
    column.isForPhones && 'on-phones',
    OPEN_CELLS.includes(column.id) && column.id,
  ]
    .filter(Boolean)
    .join(' ');

/** One cell: if it spanned columns that are hidden, they would take their share of the width. */
function Spacer({ height }: { height: number }) {
  return (
    <tr class="spacer">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}

/** Rows that are on their way. */
function Waiting<Row>({ columns, few }: { columns: Column<Row>[]; few: boolean }) {
  return Array.from({ length: few ? 3 : ROWS_AT_FIRST }, (_, index) => (
    <tr key={`waiting ${index}`} class="waiting-row">
      {columns.map((column, at) => (
        <td key={column.id} class={classOf(column)}>
          <Skeleton width={column.isNumber ? 48 : 72 + ((index * 7 + at * 13) % 5) * 16} />
        </td>
      ))}
    </tr>
  ));
}

/** A number that is cut would be another number: the longest one fits, with its sign. */
function widthOf<Row>({ width, figure }: Column<Row>, rows: Row[] = []): string | undefined {
  if (!figure) return width === undefined ? undefined : `${width}px`;
  const digits = rows.reduce((most, row) => Math.max(most, digitsOf(figure(row))), 1);
  // One character more, because a heading is set smaller than what is below it.
  return `max(${width ?? 0}px, ${formatSigned('9'.repeat(digits)).length + 1}ch + 28px)`;
}

const digitsOf = (figure: Figure): number => String(figure).replace('-', '').length;

function Head<Row>({ columns, rows, order, sorts = [], onOrder }: TableProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const isBy = column.sort !== undefined && column.sort === order;
          const direction = order?.startsWith('-') ? 'descending' : 'ascending';
          return (
            <th
              key={column.id}
              scope="col"
              class={classOf(column)}
              style={{ width: widthOf(column, rows) }}
              {...(isBy ? { 'aria-sort': direction } : {})}
            >
              {onOrder && sorts.includes(column.sort ?? '') ? (
                <SortButton column={column} isBy={isBy} onOrder={onOrder} />
              ) : (
                (column.head ?? <Heading {...column} />)
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Above buttons there is nothing to read, unless one only hears it. */
const Heading = ({ header }: { header: string }) =>
  header === '' ? <span class="visually-hidden">Actions</span> : <Text value={header} />;

interface SortProps<Row> {
  column: Column<Row>;
  isBy: boolean;
  onOrder: (sort: string) => void;
}

function SortButton<Row>({ column: { header, sort = '' }, isBy, onOrder }: SortProps<Row>) {
  return (
    <button type="button" onClick={() => onOrder(sort)}>
      {header}
      {isBy && <Icon name={sort.startsWith('-') ? 'down' : 'up'} />}
    </button>
  );
}
