// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Asks a contract wallet whether it accepts a signature (ERC-1271), and if not, once more after
/// the call that deploys or prepares it (ERC-6492). It runs in an eth_call and is never deployed:
/// instead of code, the constructor returns the answer as one byte.
contract ContractSignature {
  bytes4 private constant ACCEPTED = 0x1626ba7e;

  constructor(
    address wallet,
    bytes32 hash,
    bytes memory signature,
    address factory,
    bytes memory preparation
  ) {
    bytes memory question = abi.encodeWithSelector(ACCEPTED, hash, signature);
    bool accepted = accepts(wallet, question);
    if (!accepted && factory != address(0)) {
      // Whether it succeeds does not matter: the wallet has the last word.
      (bool ignored, ) = factory.call(preparation);
      ignored;
      accepted = accepts(wallet, question);
    }
    assembly {
      mstore8(0, accepted)
      return(0, 1)
    }
  }

  function accepts(address wallet, bytes memory question) private view returns (bool) {
    (bool success, bytes memory answer) = wallet.staticcall(question);
    return success && answer.length >= 32 && bytes32(answer) == ACCEPTED;
  }
}
