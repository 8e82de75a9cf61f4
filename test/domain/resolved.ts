import { type Batch, LATEST } from './histories.ts';
import { Model } from './model.ts';

const SETUP_RECORDS = 2;
export const START = 1_000_000;

/** The model of a realm that is set up. */
export function newModel(): Model {
  const model = new Model();
  model.seq = SETUP_RECORDS;
  model.now = START;
  return model;
}

/** With what draws are of, which depends on what went before. */
export function resolved(batches: Batch[]): Batch[] {
  const model = newModel();
  return batches.map(({ seconds, commands }) => {
    model.now += seconds * 1000;
    return {
      seconds,
      commands: commands.map((written) => {
        const lastSeq = 'offerId' in written && model.offers.offers.get(written.offerId)?.lastSeq;
        const isLatest = written.type === 'offer.draw' && written.asOf === LATEST;
        const one = isLatest ? { ...written, asOf: lastSeq || 0 } : written;
        model.apply(one);
        return one;
      }),
    };
  });
}
