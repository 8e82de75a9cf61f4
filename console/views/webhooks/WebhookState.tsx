import type { Webhook } from '@realmkeep/client';

const PAUSES = {
  requested: 'Paused',
  gone: 'Receiver gone',
  failing: 'Gave up',
  'secret-unreadable': 'Secret unreadable',
};

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { paused, pauseReason, failingSince } = webhook;
  if (paused) {
    const look = pauseReason === 'requested' ? 'badge' : 'badge out';
    return <span class={look}>{PAUSES[pauseReason ?? 'requested']}</span>;
  }
  return failingSince === null ? (
    <span class="badge in">Delivering</span>
  ) : (
    <span class="badge held">Failing</span>
  );
}
