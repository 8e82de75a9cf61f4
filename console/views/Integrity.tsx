import type { Verdict, Verification } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { View } from '../frame/View.tsx';
import { checks, followCheck, isOver, keepCheck } from '../state/checks.ts';
import { useRealm } from '../state/realm.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { Id } from '../ui/Values.tsx';

export function Integrity() {
  const { api, realm } = useRealm();
  const [failure, setFailure] = useState<Error>();
  const check = checks.value[realm.id];
  const running = check && !isOver(check) ? check.id : null;
  useEffect(() => {
    if (running === null) return;
    const abort = new AbortController();
    followCheck(api, running, abort.signal).catch(setFailure);
    return () => abort.abort();
  }, [api, running]);
  const start = async (): Promise<void> => {
    setFailure(undefined);
    await api.startVerification().then((started) => keepCheck(api.id, started), setFailure);
  };
  return (
    <View title="Integrity">
      <div class="content narrow">
        <p class="muted">
          Every change is a record of the realm’s journal, chained to the one before it by a hash.
          The check recomputes the hashes, and from them every balance, statement and leaderboard.
        </p>
        <div>
          <Button tone="primary" disabled={running !== null} onClick={() => void start()}>
            {running ? 'Checking…' : 'Check now'}
          </Button>
        </div>
        {failure && <ProblemNote error={failure} />}
        {check && <Progress check={check} />}
        {check?.result && <Result verdict={check.result} />}
      </div>
    </View>
  );
}

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
    <div class="stack tight" role="status">
      <div class="row spread">
        <span>{check.step ? STEPS[check.step] : 'Waiting for its turn'}</span>
        <span class="muted number">{formatNumber(check.checked)}</span>
      </div>
      <div class="meter">
        <div style={{ width: `${Math.max(4, share * 100)}%` }} />
      </div>
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
        {fault && <p>{fault.detail}</p>}
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
                  Note it down: as long as a later check has it in its chain, nothing before it was
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
