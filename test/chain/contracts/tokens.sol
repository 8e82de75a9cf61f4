// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// The least of an ERC-20 that tests need; whoever asks gets tokens.
contract Token20 {
  string public symbol;
  mapping(address => uint256) public balanceOf;

  constructor(string memory symbol_) {
    symbol = symbol_;
  }

  function mint(address to, uint256 amount) external {
    balanceOf[to] += amount;
  }

  function move(address from, address to, uint256 amount) external {
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
  }
}

/// The least of an ERC-721. Its symbol is a word, as the oldest tokens have it.
contract Token721 {
  bytes32 public symbol = "PASS";
  mapping(address => uint256) public balanceOf;
  mapping(uint256 => address) public ownerOf;

  function mint(address to, uint256 id) external {
    require(ownerOf[id] == address(0), "taken");
    ownerOf[id] = to;
    balanceOf[to] += 1;
  }
}

/// The least of an ERC-1155.
contract Token1155 {
  mapping(address => mapping(uint256 => uint256)) public balanceOf;

  function mint(address to, uint256 id, uint256 amount) external {
    balanceOf[to][id] += amount;
  }
}

/// Contracts that are no tokens, in all the ways that hurt. It answers every call the same.
contract Odd {
  uint256 private immutable way;

  constructor(uint256 way_) {
    way = way_;
  }

  fallback() external {
    uint256 chosen = way;
    if (chosen == 0) revert("no");
    assembly {
      mstore(0, not(0))
      mstore(32, not(0))
      switch chosen
      // More memory than any gas pays for: all of it burns at once.
      case 1 { mstore(100000000, 1) }
      case 2 { return(0, 31) }
      case 3 { return(0, 64) }
      case 4 { return(0, 400000) }
      default { invalid() }
    }
  }
}
