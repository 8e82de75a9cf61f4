import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';

/** Compiles the test contracts into the file given as argument. */
const folder = join(import.meta.dirname, 'contracts');
const sources = Object.fromEntries(
  readdirSync(folder).map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }]),
);
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};
const output = JSON.parse(
  solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
);
const faults = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (faults.length > 0) throw new Error(faults.map((one) => one.formattedMessage).join('\n'));

const contracts = Object.values(output.contracts).flatMap(Object.entries);
const compiled = contracts.map(([name, { abi, evm }]) => [
  name,
  { abi, bytecode: `0x${evm.bytecode.object}`, deployed: `0x${evm.deployedBytecode.object}` },
]);
const [, , target] = process.argv;
// Other test processes may write the same file at the same time; the contents are identical.
writeFileSync(`${target}.${process.pid}`, JSON.stringify(Object.fromEntries(compiled)));
renameSync(`${target}.${process.pid}`, target);
