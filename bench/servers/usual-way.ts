import { serveUsualWay } from './usual-transfers.ts';

await serveUsualWay({ isPrepared: false });
