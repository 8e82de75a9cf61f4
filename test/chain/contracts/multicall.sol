// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// The part of the interface of Multicall3 that is used here.
contract Multicall {
  struct Call {
    address target;
    bool allowFailure;
    bytes callData;
  }

  struct Result {
    bool success;
    bytes returnData;
  }

  function aggregate3(Call[] calldata calls) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 index = 0; index < calls.length; index++) {
      (bool success, bytes memory data) = calls[index].target.call(calls[index].callData);
      require(success || calls[index].allowFailure, "a call failed");
      results[index] = Result(success, data);
    }
  }
}
