import { chainHash, GENESIS } from '../../src/domain/rules/journal.ts';

/** Tampering with an export, and the fault that a checker must report. */
interface Damage {
  name: string;
  change(lines: string[]): string[];
  /** Null where the end of the file is the place. */
  line: number | null;
  fault: RegExp;
}

const PERSONAL = /,"personal":.*$/s;

/** The text that a line's hash covers. */
export const strip = (line: string): string => `${line.slice(0, -75).replace(PERSONAL, '')}}`;

/** The line as it is after an erasure. */
const erased = (line: string): string => line.slice(0, -75).replace(PERSONAL, '') + line.slice(-75);

/** Recomputes all hashes, as a forger would. */
function resealed(lines: string[]): string[] {
  let head = GENESIS;
  return lines.map((line) => {
    head = chainHash(head, strip(line));
    return `${line.slice(0, -75)},"hash":"${head}"}`;
  });
}

const edit =
  (line: number, from: string, to: string) =>
  (lines: string[]): string[] =>
    lines.map((each, index) => (index === line - 1 ? edited(each, from, to) : each));

function edited(line: string, from: string, to: string): string {
  if (!line.includes(from)) throw new Error(`${from} is not in ${line}`);
  return line.replace(from, to);
}

const WRONG_HASH = /is not what was written: its hash does not match/;
const NO_RECORD = /not a record in the export format/;
const WRONG_PART = /the personal part of record 8 is not what was written/;

/** Line numbers refer to the history that has a record of every type. */
export const damages: Damage[] = [
  {
    name: 'an edited amount',
    change: edit(15, '"tokens":1000', '"tokens":9000'),
    line: 15,
    fault: WRONG_HASH,
  },
  { name: 'an edited actor', change: edit(3, '"root"', '"cli"'), line: 3, fault: WRONG_HASH },
  { name: 'an edited instant', change: edit(3, '03.000Z', '03.001Z'), line: 3, fault: WRONG_HASH },
  {
    name: 'a deleted line',
    change: (lines) => lines.toSpliced(19, 1),
    line: 20,
    fault: /record 20 is missing: after 19 comes 21/,
  },
  {
    name: 'a line twice',
    change: (lines) => lines.toSpliced(5, 0, lines[5] ?? ''),
    line: 7,
    fault: /record 7 is missing: after 6 comes 6/,
  },
  {
    name: 'a record of another realm',
    change: edit(4, '"acme"', '"zeta"'),
    line: 4,
    fault: /record 4 belongs to realm zeta, not acme/,
  },
  {
    name: 'white space',
    change: edit(2, '"seq":2', '"seq": 2'),
    line: 2,
    fault: NO_RECORD,
  },
  { name: 'another spelling', change: edit(2, 'realm', '\\u0072ealm'), line: 2, fault: NO_RECORD },
  { name: 'an edited name', change: edit(8, '"alice"', '"bob"'), line: 8, fault: WRONG_PART },
  { name: 'an edited salt', change: edit(8, '"salt":"', '"salt":"0'), line: 8, fault: WRONG_PART },
  {
    name: 'a personal part that no hash covers',
    change: edit(16, ',"hash"', ',"personal":{"salt":"0","username":"eve"},"hash"'),
    line: 16,
    fault: NO_RECORD,
  },
  {
    name: 'a lost personal part',
    change: (lines) => lines.map((line, index) => (index === 14 ? erased(line) : line)),
    line: null,
    fault: /the personal part of record 15 is missing, but none of its members is erased/,
  },
  { name: 'no hash', change: (lines) => lines.map(strip), line: 1, fault: NO_RECORD },
  { name: 'a blank line', change: (lines) => lines.toSpliced(8, 0, ''), line: 9, fault: NO_RECORD },
  { name: 'CRLF', change: (lines) => lines.map((l) => `${l}\r`), line: 1, fault: NO_RECORD },
  { name: 'no JSON', change: edit(6, '"id":', '"id"'), line: 6, fault: NO_RECORD },
  { name: 'nothing', change: () => [], line: null, fault: /there are no records/ },
  {
    name: 'an edited amount under new hashes',
    change: (lines) => resealed(edit(15, '"tokens":1000', '"tokens":9000')(lines)),
    line: 15,
    fault: /record 15 says a balance of 1000; the journal adds up to 9000/,
  },
  {
    name: 'a reversal of the wrong sign under new hashes',
    change: (lines) => resealed(edit(19, 'points.subtracted', 'points.added')(lines)),
    line: 19,
    fault: /record 19 says a balance of 890; the journal adds up to 810/,
  },
  {
    name: 'a recipient who got more under new hashes',
    change: (lines) => resealed(edit(22, '"recipientBalance":40', '"recipientBalance":41')(lines)),
    line: 22,
    fault: /record 22 says a balance of 41; the journal adds up to 40/,
  },
  {
    name: 'time that runs backwards under new hashes',
    change: (lines) => resealed(edit(9, '09:30:09', '09:30:07')(lines)),
    line: 9,
    fault: /record 9 is older than the one before it/,
  },
  {
    name: 'a movement without words under new hashes',
    change: (lines) => resealed(edit(16, '"tokens":7,', '')(lines)),
    line: 16,
    fault: /record 16 says a balance of 7; the journal adds up to NaN/,
  },
];
