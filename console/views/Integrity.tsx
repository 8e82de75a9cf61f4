import type { Verdict, Verification } from '@realmkeep/client';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { checks, isOver, startCheck } from '../state/checks.ts';
import { useArrivals } from '../state/live.ts';
import { useRealm } from '../state/realm.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Meter } from '../ui/Meter.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Text } from '../ui/Text.tsx';
import { Id, Time } from '../ui/Values.tsx';

export function Integrity() {
  const { api, realm } = useRealm();
  const last = checks.value[realm.id];
  const [check, lost] = last instanceof Error ? [undefined, last] : [last, undefined];
  const isRunning = check !== undefined && !isOver(check);
  const start = useSubmit(() => startCheck(api));
  const failure = start.error ?? lost;
  return (
    <View title="Integrity">
      <div class="content narrow">
        <Card title="The journal" note={WHAT_IT_DOES}>
          <Journal />
          <div>
            <Button
              tone="primary"
              icon="integrity"
              disabled={isRunning}
              busy={start.busy}
              onClick={() => void start.submit()}
            >
              {isRunning ? 'Checking…' : 'Check now'}
            </Button>
          </div>
          {check && <Progress check={check} />}
        </Card>
        {failure && <ProblemNote error={failure} />}
        {check?.result && <Result verdict={check.result} />}
      </div>
    </View>
  );
}

/** What there is to check. */
function Journal() {
  const { api, realm } = useRealm();
  const { value, reload } = useAnswer(`summary ${realm.id}`, (signal) => api.summary({ signal }));
  useArrivals(() => true, reload);
  if (!value) return null;
  return (
    <dl class="facts">
      <dt>Records</dt>
      <dd class="number">{formatNumber(value.records)}</dd>
      <dt>The first</dt>
      <dd>
        <Time at={realm.createdAt} />
      </dd>
      <dt>The last</dt>
      <dd>
        <Time at={value.lastActivityAt} />
      </dd>
    </dl>
  );
}

const WHAT_IT_DOES =
  'Every change is a record, chained to the one before it by a hash. The check recomputes the ' +
  'hashes, and from them every balance, statement and leaderboard.';

const STEPS = {
  journal: 'Recomputing the hash of every record',
  tables: 'Comparing members and balances with the journal',
  projections: 'Comparing statements and leaderboards with the journal',
};

function Progress({ check }: { check: Verification }) {
  if (check.status === 'failed') {
    return (
      <ProblemNote error={new Error('The check could not be completed. Start another one.')} />
    );
  }
  if (check.status === 'done') return null;
  const share = check.total ? Math.min(1, check.checked / check.total) : 0;
  return (
    <div class="stack tight">
      <div class="row spread">
        <span role="status">{check.step ? STEPS[check.step] : 'Waiting for its turn'}</span>
        <span class="muted number">{formatNumber(check.checked)}</span>
      </div>
      <Meter label="Checked" share={share} />
    </div>
  );
}

function Result({ verdict }: { verdict: Verdict }) {
  const { ok, records, transactions, members = 0, head, fault } = verdict;
  return (
    <div class="card">
      <header>
        <Icon name={ok ? 'integrity' : 'alert'} class={ok ? 'tone-in' : 'tone-out'} />
        <h2>{ok ? 'Everything adds up' : 'Something does not add up'}</h2>
      </header>
      <div class="body stack">
        {fault && (
          <p>
            <Text value={fault.detail} />
          </p>
        )}
        <dl class="facts">
          <dt>Records</dt>
          <dd class="number">{formatNumber(records)}</dd>
          <dt>Movements of points</dt>
          <dd class="number">{formatNumber(transactions)}</dd>
          <dt>Members</dt>
          <dd class="number">{formatNumber(members)}</dd>
          {head && (
            <>
              <dt>Head</dt>
              <dd>
                <Id value={head} full always />
                <p class="caption">
                  Keep a copy. If the chain of a later check still has it, nothing before it was
                  changed.
                </p>
              </dd>
            </>
          )}
        </dl>
      </div>
    </div>
  );
}
