import { Outage } from './outage.ts';
import type { BatchWriter, Housekeeping, Store } from './store.ts';

type Work<Args extends unknown[], T> = (...args: Args) => T | Promise<T>;

/** A store that is unavailable while its database cannot be reached, or takes no writes. */
export function watched(store: Store): Store {
  const outage = new Outage(() => store.housekeeping.probe());
  store.availability?.onUnavailable((cause) => outage.begin(cause));
  store.availability?.onAvailable(() => void outage.check());
  const { catchUp } = store;
  const [first, ...others] = store.writers;
  return {
    ...store,
    writers: [watchedWriter(first, outage), ...others.map((each) => watchedWriter(each, outage))],
    ...(catchUp && { catchUp: examined(outage, catchUp) }),
    housekeeping: watchedHousekeeping(store.housekeeping, outage),
    availability: outage,
    close: () => {
      outage.close();
      return store.close();
    },
  };
}

/** Work whose caller gets a failure when it is known whether it is part of an outage. */
const examined =
  <Args extends unknown[], T>(outage: Outage, work: Work<Args, T>) =>
  async (...args: Args): Promise<T> => {
    try {
      return await work(...args);
    } catch (error) {
      await outage.examine(error);
      throw error;
    }
  };

const watchedWriter = (writer: BatchWriter, outage: Outage): BatchWriter => ({
  limits: writer.limits,
  write: (batch, patience) => {
    const { sent, done } = writer.write(batch, patience);
    return { sent, done: examined(outage, () => done)() };
  },
});

/** Each call by name, so that the compiler finds one that is forgotten here. */
const watchedHousekeeping = (all: Housekeeping, outage: Outage): Housekeeping => ({
  // A probe is how an outage is examined, and a check of files writes nothing.
  probe: all.probe,
  checkIntegrity: all.checkIntegrity,
  recordKeyUse: examined(outage, all.recordKeyUse),
  storeRootKeyHash: examined(outage, all.storeRootKeyHash),
  createSession: examined(outage, all.createSession),
  endSession: examined(outage, all.endSession),
  recordSessionUse: examined(outage, all.recordSessionUse),
  expireSessions: examined(outage, all.expireSessions),
  expireChallenges: examined(outage, all.expireChallenges),
  expireAnswers: examined(outage, all.expireAnswers),
  project: examined(outage, all.project),
  dropExpiredLeaderboards: examined(outage, all.dropExpiredLeaderboards),
  rebuildProjections: examined(outage, all.rebuildProjections),
  removeRealmRows: examined(outage, all.removeRealmRows),
  removeRealmProjections: examined(outage, all.removeRealmProjections),
  removeRealm: examined(outage, all.removeRealm),
  erasePersonalParts: examined(outage, all.erasePersonalParts),
  leaseWebhooks: examined(outage, all.leaseWebhooks),
  releaseWebhooks: examined(outage, all.releaseWebhooks),
  saveReports: examined(outage, all.saveReports),
  removeStrayDeliveries: examined(outage, all.removeStrayDeliveries),
});
