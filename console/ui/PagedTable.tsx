import type { Pages } from '../state/pages.ts';
import { ProblemNote } from './States.tsx';
import { Table, type TableProps } from './Table.tsx';

interface PagedProps<Row> extends Omit<TableProps<Row>, 'rows' | 'rowKey' | 'paging'> {
  pages: Pages<Row>;
  /** The look of what is around it. */
  class?: string;
}

/** A list that grows page by page, below what is wrong with it. */
export function PagedTable<Row>({ pages, class: look = 'card', ...table }: PagedProps<Row>) {
  return (
    <>
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <div class={look}>
        <Table {...table} rows={pages.rows} rowKey={pages.rowKey} paging={pages} />
      </div>
    </>
  );
}
