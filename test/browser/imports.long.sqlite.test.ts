import assert from 'node:assert/strict';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { canUseEverything } from './looks.ts';
import { Reader } from './reader.ts';

/** What an import of the console asks, refuses and takes back. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function at(path: string): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(ROOT_KEY);
  await reader.opens(path);
  return reader;
}

const chooses = (reader: Reader, content: string | Buffer): Promise<void> =>
  reader.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

browse('what an import has added is undone at once', async () => {
  const realm = await service.realm('undone');
  await realm.member('9', 0, { displayName: 'Nina' });
  const lines = ['id,name,Coins,xp,Status', '1,Ann,50,3,Frozen', '2,Ben,5,,', '9,Nina,7,,', ',,,,'];
  const reader = await at('/realms/undone/import');
  await chooses(reader, lines.join('\n'));
  await reader.sees(/Which column is the balance, Coins or xp\?/);
  await reader.looksRight('the question');
  assert.ok(await reader.page.getByRole('button', { name: 'Add 3 members' }).isDisabled());
  await reader.page.getByLabel('Coins').selectOption('balances.points');
  await reader.press('Import xp as a new point type');
  await reader.page.getByLabel('Also give balances to members who are here already').check();
  await canUseEverything(reader, 'the columns');
  await reader.press('Add 3 members');
  await reader.sees(/2 of 3 added, 1 here already got balances/);
  const ann = (await realm.expect(200, 'GET', '/members/1')).json;
  assert.deepEqual([ann.status, ann.balances], ['frozen', { points: 50, xp: 3 }]);
  await reader.press('Undo this import');
  await reader.looksRight('the dialog');
  await reader.dialog.getByRole('button', { name: 'Undo the import' }).click();
  await reader.sees('Undone. Removed again');
  await reader.looksRight('what is undone');
  assert.equal((await realm.expect(200, 'GET', '/summary')).json.members, 1);
  const nina = (await realm.expect(200, 'GET', '/members/9')).json;
  assert.deepEqual(nina.balances, { points: 0, xp: 0 });
  await reader.leave();
});

browse('a row that an import was refused is judged anew by the next one', async () => {
  const realm = await service.realm('anew');
  await realm.member('1', 0, { wallets: [WALLET] });
  const reader = await at('/realms/anew/import');
  const enrols = async (button: string, figure: string): Promise<void> => {
    await chooses(reader, `name,wallet\nBea,\nAnn,${WALLET}`);
    await reader.page.getByLabel('Import without balances').check();
    await reader.press(button);
    await reader.page.getByRole('link', { name: 'Show the members' }).waitFor();
    await reader.page.locator('.figure .big', { hasText: new RegExp(`^${figure}$`) }).waitFor();
  };
  const refused = reader.page.getByRole('table', { name: 'Refused rows' });
  await enrols('Add 1 member', '1');
  await refused.getByRole('row', { name: /Ann/ }).waitFor();
  await realm.expect(204, 'DELETE', `/members/1/wallets/${WALLET}`);
  for (const [button = '', figure = ''] of [
    ['Add 2 members', '1'],
    ['Add 1 member', '0'],
  ]) {
    await reader.press('Import another file');
    await enrols(button, figure);
    assert.equal(await refused.count(), 0);
    assert.equal((await realm.expect(200, 'GET', '/summary')).json.members, 3);
  }
  await reader.leave();
});

browse('one wrong row costs itself only, wherever it is found', async () => {
  const realm = await service.realm('wrong');
  const reader = await at('/realms/wrong/import');
  const lines = [
    'id;name;wallet',
    '1;"Zoë\nthe first";',
    '2;Bob;no-wallet',
    `x\u202e;Eve;`,
    '4;Dan;',
  ];
  await chooses(reader, Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le'));
  await reader.sees('2 rows with faults, left out');
  await reader.looksRight('the preview');
  await reader.page.getByLabel('Import without balances').check();
  await reader.press('Add 2 members');
  await reader.page.locator('.figure .big', { hasText: /^2$/ }).waitFor();
  const refused = reader.page.getByRole('table', { name: 'Refused rows' }).getByRole('row');
  await refused.filter({ hasText: /^4.*Bob.*wallet “no-wallet”/ }).waitFor();
  await refused.filter({ hasText: /^5.*Eve.*U\+202E.*is not an id/ }).waitFor();
  await reader.looksRight('the result');
  const { json } = await realm.expect(200, 'GET', '/members/1');
  assert.equal(json.displayName, 'Zoë\nthe first');
  await reader.leave();
});
