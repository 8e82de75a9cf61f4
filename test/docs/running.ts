/**
 * Runs the documentation: every command that a page shows, and compares what it prints with the
 * answers that the page shows. This is all a page has to know:
 *
 * - The `bash` (or `sh`) blocks of a page run in order, in one bash session, in a throwaway folder
 *   that looks like a clone of the repository. Every command must end with exit code 0, unless the
 *   fence says `bash fails`.
 * - `npm start`, `npm run demo`, `realmkeep serve` and `node bin/realmkeep.mjs serve` start the
 *   service in the background, in place of the one before, with the environment that the page
 *   gives. It listens on a free port; `:8080` in a page stands for it. A page that starts no
 *   service finds one that runs on `data/realmkeep.db`, with a realm `acme`, and what the README
 *   sets: `$REALMKEEP_URL`, `$REALMKEEP_REALM`, `$REALMKEEP_KEY` (here with the scope `admin`),
 *   `$REALM` and `call`; and `$ROOT_KEY`.
 * - The pages for newcomers run one after another in one session, as somebody reads them.
 * - The `json` blocks between a block of commands and the next one, or the next heading, are the
 *   last values that the commands print. Instants, hashes, keys, ids of keys, request ids and the
 *   row of a cursor may differ; in texts `…` stands for anything. A problem that is printed must be
 *   shown.
 * - A `text` block there shows lines that are printed, in order; lines may be left out. With
 *   `text exact` not even hashes may differ.
 * - `not-run` after the language marks a block that is not run or compared:
 *   it needs Docker, another machine, or values of the reader's own.
 * - `needs-<program>` marks a block that is not run or compared where there is no such program.
 * - A file name after any other language (`ndjson acme.ndjson`) writes the block to that file. A
 *   page finds the files of the README.md in its folder, too.
 * - A comment of several lines, from `<!-- bash` to `-->`, is run and not seen by readers.
 *
 * With `UPDATE_DOCS=1` the tests put changed texts of answers, such as the sentence of a problem,
 * into the pages.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Difference, jsonDifferences, jsonValues, textDifferences } from './compare.ts';
import { type Block, type Page, pages, ROOT } from './pages.ts';
import { Session } from './session.ts';

const SHELL = ['bash', 'sh', 'shell', 'console'];
const isMissing = (tool: string): boolean => {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
};
const isMarked = ({ words }: Block) =>
  words.some(
    (word) => word === 'not-run' || (word.startsWith('needs-') && isMissing(word.slice(6))),
  );
const isCommand = (block: Block) => SHELL.includes(block.language) && !isMarked(block);
const isAnswer = (block: Block) => ['json', 'text'].includes(block.language) && !isMarked(block);

interface Step {
  commands: Block;
  answers: Block[];
}

/** The blocks of commands of a page, each with the answers that belong to it. */
function stepsOf({ path, blocks }: Page): Step[] {
  const steps: Step[] = [];
  for (const block of blocks) {
    const last = steps.at(-1);
    assert.ok(block.language, `${path}:${block.line} names no language, so it would not be run`);
    if (isCommand(block)) steps.push({ commands: block, answers: [] });
    else if (isAnswer(block)) {
      const isOf = last?.commands.section === block.section;
      assert.ok(isOf, `${path}:${block.line} shows an answer to no command; mark it with not-run`);
      last.answers.push(block);
    }
  }
  return steps;
}

const isProblem = (value: unknown): boolean =>
  String((value as { type?: unknown } | null)?.type).startsWith('urn:realmkeep:problem:');

/** The differences between what a step prints and each block that shows it. */
function differencesOf({ answers }: Step, stdout: string): [Block, Difference[]][] {
  const shown = answers
    .filter(({ language }) => language === 'json')
    .flatMap((block) => jsonValues(block.text).map((value) => ({ block, value })));
  const printed = jsonValues(stdout);
  const hidden = printed.slice(0, Math.max(0, printed.length - shown.length));
  assert.deepEqual(
    hidden.filter(isProblem),
    [],
    'a problem is printed that the page does not show',
  );
  return [
    ...shown.map(({ block, value }, index): [Block, Difference[]] => [
      block,
      jsonDifferences(value, printed.at(index - shown.length)),
    ]),
    ...answers
      .filter(({ language }) => language === 'text')
      .map((block): [Block, Difference[]] => [
        block,
        textDifferences(block.text, stdout, block.words.includes('exact')),
      ]),
  ];
}

const described = (place: string, differences: Difference[]): string =>
  differences
    .flatMap(({ at, shown, printed }) => [
      `${place} ${at}`,
      `  shows  ${JSON.stringify(shown)}`,
      `  prints ${JSON.stringify(printed)}`,
    ])
    .join('\n');

/** Puts the texts that have changed into the page; whatever else differs is left to its author. */
function update(path: string, { text }: Block, differences: Difference[]): void {
  const file = join(ROOT, path);
  let changed = text;
  for (const { shown, printed } of differences) {
    if (typeof shown !== 'string' || typeof printed !== 'string') continue;
    changed = changed.replace(JSON.stringify(shown), () => JSON.stringify(printed));
  }
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(text, () => changed),
  );
}

async function runPage(page: Page, session: Session): Promise<void> {
  const { path, blocks } = page;
  const readme = pages.find((each) => each.path === join(dirname(path), 'README.md'));
  for (const { words, language, text } of [...(readme?.blocks ?? []), ...blocks]) {
    const [name] = words;
    if (name?.includes('.') && !SHELL.includes(language)) session.write(name, text);
  }
  for (const step of stepsOf(page)) {
    const { line, words, text } = step.commands;
    const { stdout, failures } = await session.run(text);
    const place = `${path}:${line}\n${stdout}`;
    if (words.includes('fails')) assert.notEqual(failures, '', place);
    else assert.equal(failures, '', place);
    for (const [block, differences] of differencesOf(step, stdout)) {
      if (process.env.UPDATE_DOCS) update(path, block, differences);
      else if (differences.length > 0) assert.fail(described(`${path}:${block.line}`, differences));
    }
  }
}

const tools = ['bash', 'curl', 'sha256sum'];
const missing = tools.filter(isMissing);
const skip = missing.length > 0 && `${missing.join(' and ')} not found: the pages were not run`;

const commandsOf = (page: Page): string[] => stepsOf(page).map(({ commands }) => commands.text);

async function openSession(t: TestContext, page: Page, node?: string): Promise<Session> {
  const session = new Session(node);
  t.after(() => session.close());
  await session.open(commandsOf(page));
  return session;
}

/** A test for each page that shows commands. */
export function testPages(tested: readonly Page[]): void {
  for (const page of tested) {
    if (stepsOf(page).length === 0) continue;
    test(`what ${page.path} shows is what happens`, { skip }, async (t) => {
      await runPage(page, await openSession(t, page));
    });
  }
}

/** A test that runs pages one after another, with the Node that a reader may have. */
export function testSitting(
  [first, ...others]: readonly Page[],
  name: string,
  node?: string,
): void {
  const isAbsent = node === undefined && `NO ${name} FOUND, NOT TESTED`;
  test(`in one sitting, with ${name}`, { skip: skip || isAbsent }, async (t) => {
    assert.ok(first);
    const session = await openSession(t, first, node);
    for (const page of [first, ...others]) await t.test(page.path, () => runPage(page, session));
  });
}
