import type { Kind, Member } from '@realmkeep/client';
import { useRealm } from '../../state/realm.ts';
import type { Figure } from '../../text/format.ts';
import { Segments } from '../../ui/Choices.tsx';
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
