/**
 * PKCS12 without a pass phrase, as load balancers take it: plain, or encrypted with an empty one.
 * Public source: RFC 7292; octavia, `certificates/common/pkcs12.py`.
 */
import { X509Certificate, type KeyObject } from 'node:crypto';
import { ContentInfo, EncryptedContentInfo, id_data, id_encryptedData } from '@peculiar/asn1-cms';
import {
  AuthenticatedSafe,
  CertBag,
  id_certBag,
  id_keyBag,
  id_pkcs8ShroudedKeyBag,
  id_x509Certificate,
  PFX,
  SafeContents,
} from '@peculiar/asn1-pfx';
import { EncryptedPrivateKeyInfo } from '@peculiar/asn1-pkcs8';
import { AsnParser, AsnProp, AsnPropTypes, OctetString } from '@peculiar/asn1-schema';
import { readKey } from './certificates.js';
import { decrypt } from './pkcs12-encryption.js';
import { UnusableError } from './unusable.js';

class EncryptedData {
  @AsnProp({ type: AsnPropTypes.Integer })
  version: number;

  @AsnProp({ type: EncryptedContentInfo })
  content: EncryptedContentInfo;
}

export interface Pkcs12 {
  readonly key: KeyObject;
  readonly certificates: readonly X509Certificate[];
}

/** @throws UnusableError */
export async function readPkcs12(data: Buffer): Promise<Pkcs12> {
  try {
    const { authSafe } = AsnParser.parse(data, PFX);
    if (authSafe.contentType !== id_data)
      throw new UnusableError('it is signed rather than plain', 'pkcs12');
    const keys: KeyObject[] = [];
    const certificates: X509Certificate[] = [];
    for (const info of AsnParser.parse(octets(authSafe.content), AuthenticatedSafe))
      for (const bag of AsnParser.parse(await contentsOf(info), SafeContents)) {
        const value = Buffer.from(bag.bagValue);
        if (bag.bagId === id_keyBag) keys.push(readKey(value));
        if (bag.bagId === id_pkcs8ShroudedKeyBag) keys.push(readKey(await unshrouded(value)));
        if (bag.bagId === id_certBag) certificates.push(...certificateIn(value));
      }
    const [key] = keys;
    if (!key || certificates.length === 0)
      throw new UnusableError('it lacks a private key, or a certificate', 'pkcs12');
    return { key, certificates };
  } catch (error) {
    if (error instanceof UnusableError) throw new UnusableError(error.message, 'pkcs12');
    // What a parser says may hold parts of what it has read.
    throw new UnusableError('it cannot be read, or needs a pass phrase', 'pkcs12');
  }
}

async function contentsOf({ contentType, content }: ContentInfo): Promise<Buffer> {
  if (contentType === id_data) return octets(content);
  if (contentType !== id_encryptedData)
    throw new UnusableError('it is encrypted for a certificate', 'pkcs12');
  const { contentEncryptionAlgorithm: by, encryptedContent } = AsnParser.parse(
    content,
    EncryptedData,
  ).content;
  const { value, constructedValue = [] } = encryptedContent ?? {};
  const parts = value ? [value] : constructedValue;
  return decrypt(by, Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))));
}

function unshrouded(value: Buffer): Promise<Buffer> {
  const { encryptionAlgorithm, encryptedData } = AsnParser.parse(value, EncryptedPrivateKeyInfo);
  return decrypt(encryptionAlgorithm, Buffer.from(encryptedData.buffer));
}

function certificateIn(value: Buffer): X509Certificate[] {
  const { certId, certValue } = AsnParser.parse(value, CertBag);
  return certId === id_x509Certificate ? [new X509Certificate(octets(certValue))] : [];
}

function octets(value: ArrayBuffer): Buffer {
  return Buffer.from(AsnParser.parse(value, OctetString).buffer);
}
