import type { Kind } from '@realmkeep/client';
import { serviceNow } from '../../api/clock.ts';
import { MAX_PAGE } from '../../api/limits.ts';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { endBefore, type Reason, topReasons } from '../../text/period.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';

/** What most points were issued and spent for. Descriptions can be erased, so no sums are kept. */
export function Reasons({ kind, days }: { kind: Kind; days: number }) {
  const { api, realm } = useRealm();
  const key = `reasons ${realm.id} ${kind.id} ${days}`;
  const { value, error, reload } = useAnswer(key, (signal) => {
    const from = endBefore(days, serviceNow());
    return api.transactions({ realmPointId: kind.id, from, limit: MAX_PAGE, signal });
  });
  const [issued, spent] = [false, true].map((isSpent) => topReasons(value?.items ?? [], isSpent));
  const oldest = value?.nextCursor ? value.items.at(-1) : undefined;
  return (
    <section class="card">
      <header>
        <h2>Top reasons</h2>
      </header>
      {error && <ProblemNote error={error} retry={reload} />}
      {value && issued?.length === 0 && spent?.length === 0 && (
        <Empty icon="points" title="Nothing was issued or spent">
          <p>What points are given and taken for is listed here.</p>
        </Empty>
      )}
      <div class="body stack">
        <List title="Issued for" reasons={issued ?? []} />
        <List title="Spent on" reasons={spent ?? []} />
        {oldest && (
          <p class="caption">
            Of the latest {formatNumber(MAX_PAGE)} movements, since <Time at={oldest.at} />.
          </p>
        )}
      </div>
    </section>
  );
}

function List({ title, reasons }: { title: string; reasons: Reason[] }) {
  const top = Number(reasons[0]?.tokens);
  if (reasons.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="reasons">
        {reasons.map(({ description, tokens }) => (
          <li key={description}>
            <span class={description ? 'ellipsis' : 'muted'}>
              <Text value={description || 'No reason given'} />
            </span>
            <b class="amount">{formatNumber(tokens)}</b>
            <i style={{ width: `${(100 * Number(tokens)) / top}%` }} aria-hidden="true" />
          </li>
        ))}
      </ul>
    </div>
  );
}
