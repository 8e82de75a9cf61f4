import type { BalanceHistory, Kind, Member } from '@realmkeep/client';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import type { Figure } from '../../text/format.ts';
import { Chart, type Series } from '../../ui/Chart.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Amount, BigAmount } from '../../ui/Values.tsx';

interface BalanceProps {
  member: Member;
  kind: Kind;
  onKind: (id: string) => void;
}

export function Balance({ member, kind, onKind }: BalanceProps) {
  const { kinds } = useRealm();
  const amount = (amounts: Record<string, Figure>): Figure => amounts[kind.id] ?? 0;
  return (
    <div class="stack tight">
      {kinds.length > 1 && (
        <Segments
          label="Point type"
          value={kind.id}
          choices={kinds.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={onKind}
        />
      )}
      <div class="balance">
        <div>
          <h3>
            <Text value={kinds.length > 1 ? 'Balance' : kind.name} />
          </h3>
          <BigAmount key={kind.id} value={amount(member.balances)} />
        </div>
        <dl class="parts">
          <div>
            <dt class="caption">On hold</dt>
            <dd>
              <Amount
                key={kind.id}
                class={BigInt(amount(member.held)) > 0n ? 'held' : 'muted'}
                value={amount(member.held)}
              />
            </dd>
          </div>
          <div>
            <dt class="caption">Available</dt>
            <dd>
              <Amount key={kind.id} value={amount(member.available)} />
            </dd>
          </div>
        </dl>
      </div>
    </div>
  );
}

interface ChartProps {
  memberId: string;
  kind: Kind;
  changes: number;
}

const DAYS = 90;

/** How the balance became what it is: at the end of each day in UTC, and now. */
export function BalanceChart({ memberId, kind, changes }: ChartProps) {
  const { api, realm } = useRealm();
  const { value, error, reload } = useAnswer(
    `history ${api.id} ${memberId}`,
    (signal) => api.member(memberId).balanceHistory({ days: DAYS, signal }),
    changes,
  );
  const [times, series] = useMemo(() => {
    const days = value?.days.filter(({ day }) => day >= realm.createdAt.slice(0, 10));
    return levels(days ?? [], kind.id);
  }, [value, kind.id, realm.createdAt]);
  if (error && !value) return <ProblemNote error={error} retry={reload} />;
  if (!value) return <div class="chart-waiting" />;
  if (times.length < 2) return null;
  return <Chart small label="Balance by day" times={times} series={series} />;
}

/** From the day before the first points on: a long line of zeros says nothing. */
function levels(days: BalanceHistory['days'], kind: string): [number[], Series[]] {
  const first = days.findIndex(({ balances }) => (balances[kind] ?? 0) !== 0);
  const shown = first < 0 ? [] : days.slice(Math.max(0, first - 1));
  const values = shown.map(({ balances }) => balances[kind] ?? 0);
  const line: Series = { label: 'Balance', colour: '--accent', values, isFilled: true };
  return [shown.map(({ day }) => Date.parse(day)), [line]];
}
