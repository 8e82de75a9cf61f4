import { createServer } from 'node:http';
import { generateKey } from '../../src/domain/key-format.ts';
import { REALM } from '../community.ts';
import { announce, listenLocally } from './announce.ts';
import { type TransferBody, transferAnswer } from './transfer-answer.ts';

/** The minimum of a JSON service in Node: parse the body, return an object. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as TransferBody;
    const text = JSON.stringify(transferAnswer(body.recipientId, body));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

announce({ url: await listenLocally(server), keys: { [REALM]: generateKey().key } });
