/** Certificates and keys as the secrets service gives them: PEM, DER, or PKCS7. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { X509Certificates } from '@peculiar/x509';
import { UnusableError } from './unusable.js';

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
