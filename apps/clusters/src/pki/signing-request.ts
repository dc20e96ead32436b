/**
 * Reads certificate signing requests (PKCS#10, RFC 2986). Always holds for the result: its creator
 * has the private key, the key is strong enough, and `signRequest` drops nothing that is critical.
 */
import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import {
  type Name,
  Pkcs10CertificateRequest,
  type PublicKey,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import {
  SigningRequestKeyError,
  SigningRequestSignatureError,
  UnreadableSigningRequestError,
} from './pki.errors.js';
import { checkExtensions, extendedUsages } from './requested-extensions.js';

const RSA_BITS = { min: 2048, max: 8192 };
/** OpenSSL's names of P-256, P-384 and P-521. */
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

type KeyType = 'rsa' | 'ec' | 'ed25519';

/** @throws SigningRequestKeyError for a weak, overly long or unsupported key */
function checkedType(publicKey: PublicKey): KeyType {
  const key = read(publicKey);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max)
        throw new SigningRequestKeyError(`an RSA key of ${modulusLength} bits`);
      return 'rsa';
    case 'ec':
      if (!CURVES.includes(namedCurve ?? ''))
        throw new SigningRequestKeyError(`a key on the curve ${namedCurve ?? 'of its own'}`);
      return 'ec';
    case 'ed25519':
      return 'ed25519';
    default:
      throw new SigningRequestKeyError(`a key of type ${key.asymmetricKeyType ?? 'unknown'}`);
  }
}

function read(publicKey: PublicKey): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(publicKey.rawData), format: 'der', type: 'spki' });
  } catch {
    throw new SigningRequestKeyError('a public key that cannot be read');
  }
}

export interface SigningRequest {
  /** `O=system:masters, CN=admin` */
  readonly subject: string;
  /** In the original encoding. */
  readonly subjectName: Name;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** Including kinds other than DNS and IP (URI, e-mail). */
  readonly alternativeNames: SubjectAlternativeNameExtension | undefined;
  /** Object identifiers; undefined if none is requested. */
  readonly extendedUsages: readonly string[] | undefined;
  readonly publicKey: PublicKey;
  readonly keyType: KeyType;
}

/**
 * @param pem may have text around it, as `openssl req -text` writes
 * @throws UnreadableSigningRequestError, SigningRequestSignatureError, SigningRequestKeyError,
 * AuthorityRequestedError, ExtensionNotAllowedError
 */
export async function readSigningRequest(pem: string): Promise<SigningRequest> {
  const { request, subject, publicKey, extensions } = parse(derOf(pem));
  const keyType = checkedType(publicKey);
  await checkSignature(request);
  checkExtensions(extensions);
  const alternativeNames = extensions.find((one) => one instanceof SubjectAlternativeNameExtension);
  const names = alternativeNames?.names.toJSON() ?? [];
  if (subject === '' && names.length === 0)
    throw new UnreadableSigningRequestError('names neither a subject nor alternative names');
  return {
    subject,
    subjectName: request.subjectName,
    dnsNames: names.filter(({ type }) => type === 'dns').map(({ value }) => value),
    ipAddresses: names.filter(({ type }) => type === 'ip').map(({ value }) => value),
    alternativeNames: names.length === 0 ? undefined : alternativeNames,
    extendedUsages: extendedUsages(extensions),
    publicKey,
    keyType,
  };
}

const BLOCK = /-----BEGIN ([^-\n]+)-----([^-]*)-----END \1-----/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** The second is written by older Microsoft and Netscape programs. */
const LABELS = ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'];

function derOf(pem: string): Buffer {
  const [, label = '', body = ''] = BLOCK.exec(pem) ?? [];
  if (label === '') throw new UnreadableSigningRequestError('is not PEM');
  if (pem.split('-----BEGIN ').length > 2)
    throw new UnreadableSigningRequestError('has several blocks of PEM; it must have one');
  if (!LABELS.includes(label))
    throw new UnreadableSigningRequestError(`is PEM of a ${label}, not of a CERTIFICATE REQUEST`);
  const text = body.replace(/\s+/g, '');
  if (text === '' || !BASE64.test(text))
    throw new UnreadableSigningRequestError('is PEM whose content is not base64');
  return Buffer.from(text, 'base64');
}

/** The library parses lazily, so parts are read here for errors to be thrown here. */
function parse(der: Buffer) {
  try {
    const request = new Pkcs10CertificateRequest(der);
    const lists = request.getAttributes(EXTENSION_REQUEST);
    if (lists.length > 1) throw new Error('several lists of extensions');
    const { subject, publicKey, extensions } = request;
    return { request, subject, publicKey, extensions };
  } catch (error) {
    throw new UnreadableSigningRequestError('cannot be read as PKCS#10', error);
  }
}

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** SHA-1 is refused, since collisions can be made. */
const HASHES = ['SHA-256', 'SHA-384', 'SHA-512'];

async function checkSignature(request: Pkcs10CertificateRequest): Promise<void> {
  const { name, hash } = request.signatureAlgorithm as { name: string; hash?: { name: string } };
  if (name !== 'Ed25519' && !HASHES.includes(hash?.name ?? ''))
    throw new SigningRequestSignatureError(
      `is by ${hash?.name ?? name}; supported are ${HASHES.join(', ')} and Ed25519`,
    );
  const fits = await request.verify(webcrypto).catch(() => false);
  if (!fits) throw new SigningRequestSignatureError('does not fit its public key');
}
