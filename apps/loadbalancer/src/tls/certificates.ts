/** Certificates and keys from the secrets service in PEM, DER or PKCS7. */
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { X509Certificate as Certificate, X509Certificates, X509Crl } from '@peculiar/x509';

/** A secret cannot be used for TLS. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError';

  /** @param message the reason for its owner, without any content of the secret */
  constructor(
    message: string,
    /** The kind that was expected. */
    readonly of: 'certificate' | 'pkcs12' | 'subject' | 'authority' | 'revocations' = 'certificate',
  ) {
    super(message);
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Far more than a chain or a list of authorities has. */
const MOST = 1_000;

/** @throws UnusableError if there is none, or it cannot be read */
export function readCertificates(data: Buffer): X509Certificate[] {
  const found = data.toString('latin1').match(CERTIFICATE);
  try {
    const read = found ? found.slice(0, MOST + 1).map(certificateOf) : certificatesOfDer(data);
    if (read.length > 0 && read.length <= MOST) return read;
  } catch {
    // The cause may quote a secret of another kind.
  }
  throw new UnusableError('it holds no certificate that can be read');
}

function certificateOf(data: string | Buffer): X509Certificate {
  return new X509Certificate(data);
}

/** A single certificate, or PKCS7 in DER or PEM. */
function certificatesOfDer(data: Buffer): X509Certificate[] {
  try {
    return [certificateOf(data)];
  } catch {
    const pem = data.toString('latin1');
    const bundle = new X509Certificates(pem.includes('-----BEGIN PKCS7-----') ? pem : data);
    return bundle.map(({ rawData }) => certificateOf(Buffer.from(rawData)));
  }
}

/** @throws UnusableError for anything but a key, or for a wrong passphrase */
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
      // OpenSSL's message may quote the secret.
    }
  }
  throw new UnusableError('its private key cannot be read, or needs a pass phrase');
}

/** A key with its certificates. */
export interface Bundle {
  /** The certificate, its key and the rest of its chain in PEM. Secret. */
  readonly pem: string;
  /** Of the certificate. */
  readonly expiresAt: Date;
}

/**
 * @param certificates contain the key's own; the others are its chain, in order
 * @throws UnusableError if the key belongs to none, or the certificate has no name
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

/** @throws UnusableError unless the key belongs to the certificate */
export function requireOwn(key: KeyObject, certificate: X509Certificate | undefined): void {
  if (!certificate?.checkPrivateKey(key))
    throw new UnusableError('its private key and its certificate do not match');
}

/** Public source: octavia, `common/tls_utils/cert_parser.py`, get_host_names. */
function namesSomebody({ subject, subjectAltName = '' }: X509Certificate): boolean {
  return /(^|\n|\+)\s*CN=/.test(subject) || /(^|, )DNS:/.test(subjectAltName);
}

/** Certificates that verify the other side. */
export interface Authority {
  readonly pem: string;
  /** The first expiry among them. */
  readonly expiresAt: Date;
}

/** @throws UnusableError for anything but PEM certificates */
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
 * @param authority PEM from `readAuthority`
 * @returns the lists in PEM
 * @throws UnusableError for anything but revocation lists, or for those of another authority
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
