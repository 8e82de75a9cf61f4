import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { kindOf, useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountOf } from '../../text/sentence.ts';
import { CheckField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { isAt } from '../../ui/location.ts';
import { nameOf } from '../../ui/MemberName.tsx';
import { useQuery } from '../../ui/query.ts';
import type { ActionProps } from './action.ts';

const OUTCOME =
  'Wallets and accounts are free for others. The history stays in the journal. This cannot be ' +
  'undone.';

export function RemoveDialog({ member, onClose }: ActionProps) {
  const { api, kinds } = useRealm();
  const { route } = useLocation();
  const { listSearch } = useQuery();
  const [agreed, setAgreed] = useState(false);
  const [erase, setErase] = useState(false);
  const left = Object.entries(member.balances).filter(([, tokens]) => tokens !== 0);
  const amounts = left.map(([id, tokens]) => amountOf(tokens, kindOf(kinds, id))).join(' and ');
  const submit = async (): Promise<void> => {
    await api.member(member.id).remove({ forfeit: left.length > 0, erase });
    toast({ text: `${nameOf(member)} removed${erase ? ' and erased' : ' from the realm'}` });
    onClose();
    if (isAt(addresses.member(api.id, member.id))) route(addresses.members(api.id) + listSearch);
  };
  return (
    <FormDialog
      title={`Remove ${nameOf(member)} from the realm?`}
      action="Remove"
      tone="danger"
      canSubmit={left.length === 0 || agreed}
      outcome={OUTCOME}
      onSubmit={submit}
      onClose={onClose}
    >
      {left.length > 0 && (
        <CheckField
          label={`Forfeit ${amounts}`}
          hint="The member still has points; they are lost with the removal."
          checked={agreed}
          onChange={setAgreed}
        />
      )}
      <CheckField
        label="Erase personal data, too"
        hint="Names, accounts, wallets and descriptions go from the history; the points stay in it."
        checked={erase}
        onChange={setErase}
      />
    </FormDialog>
  );
}
