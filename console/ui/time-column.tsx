import type { Column } from './Table.tsx';
import { Time } from './Values.tsx';

/** When something happened to the rows of a table, if it has. */
export const timeColumn = <Row,>(
  id: string,
  header: string,
  at: (row: Row) => string | null,
): Column<Row> => ({
  id,
  header,
  width: 136,
  from: 'medium',
  cell: (row) => {
    const instant = at(row);
    return <span class="muted">{instant ? <Time at={instant} /> : 'Never'}</span>;
  },
});
