import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../../scripts/openapi/document.ts';

/** Generated clients have a type for every body and answer, with a name that people can read. */
interface Content {
  content?: Record<string, { schema: { $ref?: string } }>;
}
type Call = { requestBody?: Content; responses: Record<string, Content> };

const document = openApiDocument() as unknown as {
  paths: Record<string, Record<string, Call>>;
  components: { schemas: object };
};
const PREFIX = '#/components/schemas/';
const isNamed = ({ $ref }: { $ref?: string } = {}): boolean => $ref?.startsWith(PREFIX) ?? false;

test('every body and every answer is a named schema', () => {
  let count = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { requestBody = {}, responses }] of Object.entries(methods)) {
      for (const { content = {} } of [requestBody, ...Object.values(responses)]) {
        for (const [type, { schema }] of Object.entries(content)) {
          // A stream is text, whose lines have the events.
          if (type === 'text/event-stream') continue;
          assert.ok(isNamed(schema), `${method} ${path}`);
          count += 1;
        }
      }
    }
  }
  assert.ok(count > 100);
});

test('the nouns have names, and every name is used', () => {
  const nouns = [
    ...['Member', 'Realm', 'ApiKey', 'NewApiKey', 'Kind', 'Transaction', 'Hold', 'Balances'],
    ...['LeaderboardRow', 'Wallet', 'Asset', 'Event', 'Verification', 'Problem', 'MemberList'],
  ];
  const names = Object.keys(document.components.schemas);
  const text = JSON.stringify(document);
  const unused = names.filter((name) => !text.includes(`"${PREFIX}${name}"`));
  assert.deepEqual(unused, []);
  assert.deepEqual(
    nouns.filter((noun) => !names.includes(noun)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => name.startsWith('undefined')),
    [],
  );
});
