/**
 * Checks requested extensions. As in Magnum, unsupported ones are dropped unless critical; a
 * request for an authority is always refused, rather than quietly reduced. Public source: magnum,
 * `common/x509/validator.py`.
 */
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type Extension,
} from '@peculiar/x509';
import {
  AuthorityRequestedError,
  ExtensionNotAllowedError,
  UnreadableSigningRequestError,
} from './pki.errors.js';
import { USAGES } from './issue.js';

const OF_AUTHORITIES = {
  keyCertSign: KeyUsageFlags.keyCertSign,
  cRLSign: KeyUsageFlags.cRLSign,
} as const;

/** Magnum's default. */
const ALLOWED =
  KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | KeyUsageFlags.nonRepudiation;

const EXTENDED: readonly string[] = Object.values(USAGES);
const NAMES = ['dns', 'ip', 'url', 'email'];

/** @throws AuthorityRequestedError, ExtensionNotAllowedError, UnreadableSigningRequestError */
export function checkExtensions(extensions: readonly Extension[]): void {
  const types = extensions.map(({ type }) => type);
  const twice = types.find((type, index) => types.indexOf(type) !== index);
  if (twice !== undefined)
    throw new UnreadableSigningRequestError(`has the extension ${twice} twice`);
  for (const extension of extensions) check(extension);
}

function check(extension: Extension): void {
  if (extension instanceof BasicConstraintsExtension) {
    if (extension.ca) throw new AuthorityRequestedError('basicConstraints CA:TRUE');
  } else if (extension instanceof KeyUsagesExtension) checkUsages(extension);
  else if (extension instanceof ExtendedKeyUsageExtension) checkExtended(extension);
  else if (extension instanceof SubjectAlternativeNameExtension) checkNames(extension);
  else if (extension.critical && !(extension instanceof SubjectKeyIdentifierExtension))
    throw new ExtensionNotAllowedError(extension.type);
}

function checkUsages({ usages, critical }: KeyUsagesExtension): void {
  for (const [name, flag] of Object.entries(OF_AUTHORITIES))
    if ((usages & flag) !== 0) throw new AuthorityRequestedError(`keyUsage ${name}`);
  const other = usages & ~ALLOWED;
  if (critical && other !== 0) throw new ExtensionNotAllowedError(`keyUsage ${namesOf(other)}`);
}

function namesOf(usages: number): string {
  const names = Object.entries(KeyUsageFlags).filter(
    ([, flag]) => typeof flag === 'number' && (usages & flag) !== 0,
  );
  return names.map(([name]) => name).join(', ');
}

/** A certificate without a supported usage would be useless. */
function checkExtended({ usages, critical }: ExtendedKeyUsageExtension): void {
  const others = usages.map(String).filter((usage) => !EXTENDED.includes(usage));
  if (others.length > 0 && (critical || others.length === usages.length))
    throw new ExtensionNotAllowedError(`extendedKeyUsage ${others.join(', ')}`);
}

/** Other kinds (directory names, Windows user names) mean nothing to Kubernetes. */
function checkNames({ names }: SubjectAlternativeNameExtension): void {
  const other = names.items.find(({ type }) => !NAMES.includes(type));
  if (other) throw new ExtensionNotAllowedError(`subjectAltName ${other.type}`);
  const bad = names.items.find(({ type, value }) => type === 'ip' && isIP(value) === 0);
  if (bad) throw new ExtensionNotAllowedError(`subjectAltName IP ${bad.value}`);
}

/** @returns the supported ones, or undefined if none is requested */
export function extendedUsages(extensions: readonly Extension[]): string[] | undefined {
  const found = extensions.find((one) => one instanceof ExtendedKeyUsageExtension);
  const given = found?.usages.map(String).filter((usage) => EXTENDED.includes(usage)) ?? [];
  return given.length === 0 ? undefined : given;
}
