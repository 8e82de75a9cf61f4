import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';

/** Compiles the contracts of the tests into the file that the argument names. */
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
// Other test files may do the same at this moment: the last one wins, and all are the same.
writeFileSync(`${target}.${process.pid}`, JSON.stringify(Object.fromEntries(compiled)));
renameSync(`${target}.${process.pid}`, target);
