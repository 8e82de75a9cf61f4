import { secp256k1 } from '@noble/curves/secp256k1.js';
import { AbiReader, encode, type Hex, wordOf } from './abi.ts';
import { keccak256 } from './hashes.ts';

/**
 * Whether the key of a plain account signed the text (EIP-191, "personal_sign"). Anybody can
 * compute a second form of a signature, with the higher `s`, which chains do not accept either
 * (EIP-2). Throws if no key can have made the signature.
 */
export function isSignedByAccount(key: string, message: string, signature: Uint8Array): boolean {
  const signed = parseSignature(signature);
  return signed !== null && !signed.hasHighS() && signer(signed, message) === key;
}

function signer(signed: RecoverableSignature, message: string): string {
  const publicKey = signed.recoverPublicKey(messageHash(message)).toBytes(false);
  // The first byte only marks the key as uncompressed.
  return `0x${keccak256(publicKey.subarray(1)).toString('hex', 12)}`;
}

type RecoverableSignature = NonNullable<ReturnType<typeof parseSignature>>;

/** 65 bytes that end in 27 or 28 (some hardware wallets: 0 or 1), or the 64 of EIP-2098. */
function parseSignature(signature: Uint8Array) {
  const rs = signature.slice(0, 64);
  let recovery = signature[64] ?? 0;
  if (recovery >= 27) recovery -= 27;
  if (signature.length === 64) {
    const top = rs[32] ?? 0;
    recovery = top >> 7;
    rs[32] = top & 0x7f;
  }
  if (recovery > 1 || signature.length > 65) return null;
  return secp256k1.Signature.fromBytes(rs).addRecoveryBit(recovery);
}

/** The hash that wallets sign (EIP-191). */
export function messageHash(message: string): Uint8Array {
  const text = Buffer.from(message, 'utf8');
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`, 'latin1');
  return keccak256(Buffer.concat([prefix, text]));
}

/**
 * test/chain/contracts/contract-signature.sol, compiled for chains of any age. A test compiles it
 * again.
 */
const CODE = [
  '608060405234610086576102ed803803809161001a826100a1565b60803960a08160800191126100865761003161',
  '00ef565b60a05160c0519192916001600160401b038111610086578261005591608001610157565b9061006060e0',
  '610105565b6101005190936001600160401b0382116100865761008091608001610157565b936101cc565b600080',
  'fd5b634e487b7160e01b600052604160045260246000fd5b6080601f91909101601f19168101906001600160401b',
  '038211908210176100c757604052565b61008b565b601f909101601f19168101906001600160401b038211908210',
  '176100c757604052565b608051906001600160a01b038216820361008657565b51906001600160a01b0382168203',
  '61008657565b6001600160401b0381116100c757601f01601f191660200190565b60005b83811061014757505060',
  '00910152565b8181015183820152602001610137565b81601f8201121561008657805161016d81610119565b9261',
  '017b60405194856100cc565b81845260208284010111610086576101999160208085019101610134565b90565b3d',
  '156101c7573d906101ad82610119565b916101bb60405193846100cc565b82523d6000602084013e565b60609056',
  '5b91929390608461022691604051958691630b135d3f60e11b602084015260248301526040604483015261020e81',
  '51809281606486015260208686019101610134565b601f801991011681010301601f1981018552846100cc565b61',
  '02308383610287565b93841580610275575b610248575b8460005360016000f35b61026c94508160009291836020',
  '8194519301915af15061026661019c565b50610287565b3880808061023e565b506001600160a01b038116151561',
  '0239565b6000918291602082519201905afa61029d61019c565b816102de575b816102ac575090565b9050602081',
  '5191015190602081106102cc575b50630b135d3f60e11b1490565b6000199060200360031b1b16386102bf565b90',
  '50602081511015906102a356fe',
].join('');

/** How a signature ends that contains the call which deploys or prepares its wallet (ERC-6492). */
const WRAPPED = '6492'.repeat(16);

interface Unwrapped {
  signature: Hex;
  factory: Hex;
  preparation: Hex;
}

/** What an eth_call has to run to find out whether the wallet accepts the signature. */
export function signatureQuery(wallet: string, hash: Uint8Array, text: Hex): Hex {
  const { signature, factory, preparation } = unwrap(text);
  const values = [
    wordOf(wallet),
    Buffer.from(hash).toString('hex'),
    { bytes: signature },
    wordOf(factory),
    { bytes: preparation },
  ];
  return `0x${CODE}${encode(values)}`;
}

/** Throws if the signature is marked as wrapped but is not. */
function unwrap(text: Hex): Unwrapped {
  if (!text.toLowerCase().endsWith(WRAPPED)) {
    return { signature: text, factory: '0x', preparation: '0x' };
  }
  const wrapper = new AbiReader(text.slice(0, -WRAPPED.length) as Hex);
  return {
    factory: wrapper.address(0),
    preparation: wrapper.bytes(32),
    signature: wrapper.bytes(64),
  };
}
