// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// A wallet that is a contract (ERC-1271): a signature is good if its owner's key made it.
contract OwnedWallet {
  address public immutable owner;

  constructor(address owner_) {
    owner = owner_;
  }

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    if (signature.length != 65) return 0xffffffff;
    bytes32 r = bytes32(signature[0:32]);
    bytes32 s = bytes32(signature[32:64]);
    address signer = ecrecover(hash, uint8(signature[64]), r, s);
    return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}

/// Deploys such wallets at addresses that are known before (for ERC-6492).
contract WalletFactory {
  function create(address owner, bytes32 salt) external returns (address) {
    address there = addressOf(owner, salt);
    if (there.code.length > 0) return there;
    return address(new OwnedWallet{salt: salt}(owner));
  }

  function addressOf(address owner, bytes32 salt) public view returns (address) {
    bytes32 code = keccak256(abi.encodePacked(type(OwnedWallet).creationCode, abi.encode(owner)));
    bytes32 whole = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code));
    return address(uint160(uint256(whole)));
  }
}
