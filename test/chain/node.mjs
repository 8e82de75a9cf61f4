import { createHardhatRuntimeEnvironment } from 'hardhat/hre';

const t = performance.now();
const hre = await createHardhatRuntimeEnvironment({
  networks: { chain: { type: 'edr-simulated', chainId: 1 } },
});
const server = await hre.network.createServer('chain', '127.0.0.1', 0);
const { address, port } = await server.listen();
console.log(address, port, performance.now() - t);
