import type { GetDiscordStatusAnswer } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { useEvery } from '../../state/every.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Step } from '../../ui/Step.tsx';
import { Text } from '../../ui/Text.tsx';
import { CodeBlock, Id } from '../../ui/Values.tsx';
import { Servers, works } from './Servers.tsx';

/** Somebody looks at it while doing the steps elsewhere. */
const LOOK_EVERY_MS = 3_000;

/** From an application at Discord to commands in a server, step by step. */
export function Discord() {
  const { api, realm, reload: reloadRealm } = useRealm();
  const { value, error, reload } = useAnswer(`discord ${realm.id}`, (signal) =>
    api.discord({ signal }),
  );
  useEvery(LOOK_EVERY_MS, true, reload);
  const onLinked = (): void => {
    reloadRealm();
    reload();
  };
  return (
    <View title="Discord">
      <div class="content narrow">
        <p class="muted">
          Members see, give and spend their points by commands in your server, such as{' '}
          <span class="mono">/balance</span> and <span class="mono">/give</span>.
        </p>
        {error && <ProblemNote error={error} retry={reload} />}
        {value ? <Steps status={value} onLinked={onLinked} /> : <Skeleton width={320} />}
      </div>
    </View>
  );
}

interface StepsProps {
  status: GetDiscordStatusAnswer;
  onLinked: () => void;
}

function Steps({ status, onLinked }: StepsProps) {
  const { realm } = useRealm();
  const { state, servers, invitationUrl } = status;
  const isAccepted = status.applicationId !== null && state !== 'refused';
  const isWorking = isAccepted && servers.length > 0 && servers.every(works);
  const canEdit = mayChange(realm, 'admin');
  return (
    <>
      <State status={status} />
      <section class="card">
        <ol class="checklist">
          <Step title="Create an application at Discord" isDone={isAccepted}>
            <p class="muted">
              On its page, open “Bot” and choose “Reset Token”. Copy the token: it is shown once. It
              needs no privileged intents.
            </p>
            <Outside href="https://discord.com/developers/applications">
              Discord’s developer portal
            </Outside>
          </Step>
          <Step title="Start the service with its token" isDone={isAccepted}>
            <p class="muted">
              Whoever runs the service sets it in the environment, or in the file .env beside it,
              and restarts the service:
            </p>
            <CodeBlock code="DISCORD_TOKEN=…" />
          </Step>
          <Step title="Add the app to your server" isDone={isWorking}>
            {invitationUrl ? (
              <>
                <p class="muted">Discord asks which server. You have to be allowed to manage it.</p>
                <Outside href={invitationUrl}>Add to a server</Outside>
              </>
            ) : (
              <p class="muted">The link for it appears here, once Discord knows the token.</p>
            )}
          </Step>
          <Step title="Link the server to this realm" isDone={servers.length > 0} isOpen>
            {canEdit ? (
              <Servers key={realm.updatedAt} found={servers} onLinked={onLinked} />
            ) : servers.length > 0 ? (
              servers.map(({ guildId }) => <Id key={guildId} value={guildId} full />)
            ) : (
              <p class="muted">An admin of the realm does this.</p>
            )}
          </Step>
          <Step title="Try it" isDone={false}>
            <p class="muted">
              Type <span class="mono">/balance</span> in the server. Who is no member yet becomes
              one by the first command.
            </p>
          </Step>
        </ol>
      </section>
    </>
  );
}

/** The steps stay where they are, in a tab of their own. */
const Outside = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a class="button" href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);

const STATES: Record<GetDiscordStatusAnswer['state'], string> = {
  off: 'The service has no token of Discord.',
  connecting: 'Connecting to Discord…',
  ready: 'Connected to Discord: members of a linked server can use the commands.',
  waiting: 'Taking over from another process…',
  refused: 'Discord refuses the token or the application.',
  stopped: 'The app has stopped.',
};

/** All that is wrong, or that nothing is. */
function State({ status: { state, detail, servers } }: Pick<StepsProps, 'status'>) {
  const said = (state === 'ready' ? null : detail) ?? STATES[state];
  const troubles = servers.flatMap(({ guildId, problem }) =>
    problem === null ? [] : servers.length > 1 ? `Server ${guildId}: ${problem}` : problem,
  );
  const problems = state === 'refused' ? [said] : troubles;
  if (problems.length > 0) {
    return (
      <div class="stack tight">
        {problems.map((problem) => (
          <div key={problem} class="problem" role="alert">
            <Icon name="alert" />
            <Text value={problem} />
          </div>
        ))}
      </div>
    );
  }
  return (
    <p class="row" role="status">
      {state === 'ready' && <Icon name="check" />}
      <Text value={said} />
    </p>
  );
}
