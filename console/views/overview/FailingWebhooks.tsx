import type { Webhook } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { MAX_PAGE } from '../../api/limits.ts';
import { useAnswer } from '../../state/answers.ts';
import { useEvery } from '../../state/every.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';

/** Attempts are no events. */
const LOOK_EVERY_MS = 15_000;

/** Whether events do not arrive, other than because somebody has paused it. */
const isFailing = ({ paused, pauseReason, failingSince }: Webhook): boolean =>
  paused ? pauseReason !== 'requested' : failingSince !== null;

/** For those who may do something about it. */
export function FailingWebhooks() {
  const { api } = useRealm();
  const { value, reload } = useAnswer(`failing webhooks ${api.id}`, (signal) =>
    api.webhooks({ limit: MAX_PAGE, signal }),
  );
  useArrivals(({ type }) => type.startsWith('webhook.'), reload);
  useEvery(LOOK_EVERY_MS, value !== undefined && value.items.length > 0, reload);
  return (
    <>
      {value?.items.filter(isFailing).map((webhook) => (
        <div key={webhook.id} class="problem" role="status">
          <Icon name="alert" />
          <div class="row wrap spread">
            <span>
              Events do not arrive at{' '}
              <b>
                <Text value={new URL(webhook.url).host} />
              </b>
              . It began <Time at={webhook.failingSince ?? webhook.pausedAt ?? webhook.updatedAt} />
              .
            </span>
            <a class="link" href={addresses.webhook(api.id, webhook.id)}>
              Open the webhook
            </a>
          </div>
        </div>
      ))}
    </>
  );
}
