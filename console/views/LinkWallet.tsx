import { type OpenWalletLinkAnswer, Realmkeep, type Wallet } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { type BrowserWallet, browserWallets } from '../api/browser-wallets.ts';
import { shortId } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Welcome } from '../ui/Entrance.tsx';
import { TextAreaField, TextField } from '../ui/Field.tsx';
import { ProblemNote, Skeleton } from '../ui/States.tsx';
import { submits, useSubmit } from '../ui/submit.ts';
import { Text } from '../ui/Text.tsx';
import { CodeBlock, Time } from '../ui/Values.tsx';

/** The link is the key: whoever opens it need not be signed in. */
const service = new Realmkeep({ url: '', retries: 2 });

const codeInAddress = (): string => location.hash.slice(1);

/** Where a member proves a wallet: by the browser's own, or by a signature made elsewhere. */
export function LinkWallet() {
  const [code] = useState(codeInAddress);
  const [link, setLink] = useState<OpenWalletLinkAnswer>();
  const [error, setError] = useState<Error>();
  const [wallet, setWallet] = useState<Wallet>();
  useEffect(() => {
    service.openWalletLink({ code }).then(setLink, setError);
  }, [code]);
  if (error) return <Welcome title="This link does not work" error={error} />;
  if (wallet) return <Done wallet={wallet} link={link} />;
  return (
    <Welcome title="Link a wallet">
      {link ? <Ways code={code} link={link} onDone={setWallet} /> : <Skeleton width={280} />}
    </Welcome>
  );
}

function Done({ wallet, link }: { wallet: Wallet; link: OpenWalletLinkAnswer | undefined }) {
  return (
    <Welcome title="Your wallet is linked">
      <p>
        <span class="mono">{shortId(wallet.address, 8)}</span> belongs to{' '}
        <Text value={link?.memberName ?? ''} /> in <Text value={link?.realmName ?? ''} />, proved by
        your signature. You can close this page.
      </p>
    </Welcome>
  );
}

interface WaysProps {
  code: string;
  link: OpenWalletLinkAnswer;
  onDone: (wallet: Wallet) => void;
}

function Ways({ code, link, onDone }: WaysProps) {
  const [wallets] = useState(browserWallets);
  const [isByHand, setByHand] = useState(wallets.length === 0);
  return (
    <>
      <p>
        For <Text value={link.memberName} /> in <Text value={link.realmName} />. You sign a text
        that says so. It moves nothing and costs nothing.
      </p>
      {wallets.map((wallet) => (
        <WalletButton key={wallet.name} wallet={wallet} code={code} onDone={onDone} />
      ))}
      {isByHand ? (
        <ByHand code={code} onDone={onDone} />
      ) : (
        <Button tone="quiet" onClick={() => setByHand(true)}>
          Sign elsewhere, paste the signature
        </Button>
      )}
      <p class="caption">
        The link works once. It expires <Time at={link.expiresAt} />
      </p>
    </>
  );
}

function WalletButton(props: Omit<WaysProps, 'link'> & { wallet: BrowserWallet }) {
  const { wallet, code, onDone } = props;
  const { busy, error, submit } = useSubmit(async () => {
    const { address, ...more } = await wallet.connect().catch(declined);
    const { message } = await service.openWalletLink({ code, address, ...more });
    const signature = await wallet.sign(message ?? '', address).catch(declined);
    const signed = { code, address, message: message ?? '', signature };
    onDone(await service.redeemWalletLink(signed));
  });
  return (
    <>
      <Button tone="primary" busy={busy} onClick={submit}>
        Sign with your {wallet.name} wallet
      </Button>
      {error && <ProblemNote error={error} />}
    </>
  );
}

/** Wallets fail with objects of their own. */
function declined(cause: unknown): never {
  throw new Error('The wallet did not sign. Open it, unlock it, and try again.', { cause });
}

function ByHand({ code, onDone }: Omit<WaysProps, 'link'>) {
  const [address, setAddress] = useState('');
  const [message, setMessage] = useState<string | null>(null);
  const [signature, setSignature] = useState('');
  const { busy, error, submit } = useSubmit(async () => {
    const body = { code, address: address.trim() };
    if (message === null) return setMessage((await service.openWalletLink(body)).message);
    onDone(await service.redeemWalletLink({ ...body, message, signature: signature.trim() }));
  });
  const next = message === null ? address : signature;
  return (
    <form class="stack" onSubmit={submits(next.trim() !== '' && submit)}>
      <TextField
        label="Address"
        name="address"
        class="mono"
        value={address}
        onInput={(typed) => {
          setAddress(typed);
          setMessage(null);
        }}
        hint="Of Ethereum and its chains, Solana or Bitcoin."
      />
      {message !== null && (
        <>
          <CodeBlock code={message} label="Copy the text" />
          <TextAreaField
            label="Signature of this text"
            name="signature"
            class="mono"
            rows={3}
            value={signature}
            onInput={setSignature}
          />
        </>
      )}
      {error && <ProblemNote error={error} />}
      <Button type="submit" tone="primary" busy={busy} disabled={next.trim() === ''}>
        {message === null ? 'Get the text to sign' : 'Link the wallet'}
      </Button>
    </form>
  );
}
