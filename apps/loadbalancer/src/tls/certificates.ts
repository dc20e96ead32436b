/** Certificates and keys as the secrets service gives them: PEM, DER, or PKCS7. */
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { X509Certificate as Certificate, X509Certificates, X509Crl } from '@peculiar/x509';

/** A secret cannot be used for TLS. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError';

  /** @param message why, for its owner; nothing of what a secret holds */
  constructor(
    message: string,
    /** What kind of thing it was taken for. */
    readonly of: 'certificate' | 'pkcs12' | 'subject' | 'authority' | 'revocations' = 'certificate',
  ) {
    super(message);
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** More than any chain, or any list of authorities, has. */
const MOST = 1_000;

/** @throws UnusableError if there is none, or one cannot be read */
export function readCertificates(data: Buffer): X509Certificate[] {
  const found = data.toString('latin1').match(CERTIFICATE);
  try {
    const read = found ? found.slice(0, MOST + 1).map(certificateOf) : certificatesOfDer(data);
    if (read.length > 0 && read.length <= MOST) return read;
  } catch {
    // What it is instead is nothing that its owner should find in a message.
  }
  throw new UnusableError('it holds no certificate that can be read');
}

function certificateOf(data: string | Buffer): X509Certificate {
  return new X509Certificate(data);
}

/** A single one, or PKCS7, by itself or as PEM. */
function certificatesOfDer(data: Buffer): X509Certificate[] {
  try {
    return [certificateOf(data)];
  } catch {
    const pem = data.toString('latin1');
    const bundle = new X509Certificates(pem.includes('-----BEGIN PKCS7-----') ? pem : data);
    return bundle.map(({ rawData }) => certificateOf(Buffer.from(rawData)));
  }
}

/** @throws UnusableError for what is no key, or needs another passphrase */
export function readKey(data: Buffer, passphrase?: Buffer): KeyObject {
  const isPem = data.includes('-----BEGIN');
  const unlocked = passphrase === undefined ? {} : { passphrase };
  const forms = isPem
    ? [{ format: 'pem' } as const]
    : (['pkcs8', 'pkcs1', 'sec1'] as const).map((type) => ({ format: 'der', type }) as const);
  for (const form of forms) {
    try {
      return createPrivateKey({ key: data, ...form, ...unlocked });
    } catch {
      // OpenSSL's reason may show parts of what it has read.
    }
  }
  throw new UnusableError('its private key cannot be read, or needs a pass phrase');
}

/** A key with its certificates, as one of the sides of TLS shows itself. */
export interface Bundle {
  /** The certificate, its key and the rest of its chain, as PEM. A secret. */
  readonly pem: string;
  /** Of the certificate. */
  readonly expiresAt: Date;
}

/**
 * @param certificates the key's own may be any of them; the others are its chain, in their order
 * @throws UnusableError if the key belongs to none, or the certificate names nobody
 */
export function bundleOf(key: KeyObject, certificates: readonly X509Certificate[]): Bundle {
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (!own) throw new UnusableError('its private key and its certificate do not match');
  if (!namesSomebody(own))
    throw new UnusableError('No CN or DNSName(s) found in certificate.', 'subject');
  const chain = certificates.filter((one) => one !== own);
  const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  const parts = [own.toString(), keyPem, ...chain.map((one) => one.toString())];
  return {
    pem: parts.map((part) => `${part.trim()}\n`).join(''),
    expiresAt: new Date(own.validTo),
  };
}

/** @throws UnusableError likewise, where the certificate is known */
export function requireOwn(key: KeyObject, certificate: X509Certificate | undefined): void {
  if (!certificate?.checkPrivateKey(key))
    throw new UnusableError('its private key and its certificate do not match');
}

/** Public source: octavia, `common/tls_utils/cert_parser.py`, get_host_names. */
function namesSomebody({ subject, subjectAltName = '' }: X509Certificate): boolean {
  return /(^|\n|\+)\s*CN=/.test(subject) || /(^|, )DNS:/.test(subjectAltName);
}

/** Whom the other side of TLS is checked against. */
export interface Authority {
  readonly pem: string;
  /** The first of them that does. */
  readonly expiresAt: Date;
}

/** @throws UnusableError for what is no PEM of certificates */
export function readAuthority(data: Buffer): Authority {
  if (!data.includes('-----BEGIN CERTIFICATE-----'))
    throw new UnusableError('It must be a valid x509 PEM format certificate.', 'authority');
  const certificates = readCertificates(data);
  const expiries = certificates.map(({ validTo }) => new Date(validTo).getTime());
  return {
    pem: certificates.map((one) => one.toString()).join(''),
    expiresAt: new Date(Math.min(...expiries)),
  };
}

const LIST = /-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----/g;

/**
 * @param authority PEM of `readAuthority`
 * @returns the lists as PEM
 * @throws UnusableError for what is no list of revocations, or none of that authority
 */
export async function readRevocations(data: Buffer, authority: string): Promise<string> {
  const lists = data.toString('latin1').match(LIST) ?? [];
  const read = lists.map(listOf);
  if (read.length === 0) throw NO_LIST;
  const issuers = readCertificates(Buffer.from(authority)).map(({ raw }) => new Certificate(raw));
  for (const list of read) {
    const checks = issuers.map((publicKey) =>
      list.verify({ publicKey }, webcrypto).catch(() => false),
    );
    if (!(await Promise.all(checks)).includes(true))
      throw new UnusableError('It is not of the authority.', 'revocations');
  }
  return lists.map((list) => `${list}\n`).join('');
}

const NO_LIST = new UnusableError(
  'It must be a valid x509 PEM format certificate revocation list.',
  'revocations',
);

function listOf(pem: string): X509Crl {
  try {
    return new X509Crl(pem);
  } catch {
    throw NO_LIST;
  }
}
