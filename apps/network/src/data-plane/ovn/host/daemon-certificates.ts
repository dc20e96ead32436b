/**
 * The daemons' copies of the certificate files, in their folder: they run as a user who may not be
 * able to read the files. They notice by themselves that a file was replaced. Public source:
 * ovsdb-server(1), "Public Key Infrastructure Options".
 */
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateFiles } from '../../ovsdb/ovsdb-certificates.js';
import { giveToDaemons, type OvnFolder } from './host-settings.js';
import { OvnHostError } from './ovn-host.errors.js';

const COPIES: Readonly<Record<keyof CertificateFiles, { name: string; option: string }>> = {
  privateKey: { name: 'ovn.key', option: '--private-key' },
  certificate: { name: 'ovn.crt', option: '--certificate' },
  authority: { name: 'ovn-authority.crt', option: '--ca-cert' },
};

/** Arguments of a daemon that listens at or connects to `ssl:` addresses. */
export function certificateArgs(files: CertificateFiles | undefined): readonly string[] {
  return files ? Object.values(COPIES).map(({ name, option }) => `${option}=${name}`) : [];
}

/** @throws OvnHostError if a file cannot be read */
export async function giveCertificates({ folder, certificates }: OvnFolder): Promise<void> {
  if (!certificates) return;
  for (const [which, { name }] of Object.entries(COPIES)) {
    const source = certificates[which as keyof CertificateFiles];
    const part = join(folder, `${name}.part`);
    await rm(part, { force: true });
    await copyFile(source, part).catch((cause: unknown) => {
      throw new OvnHostError(`${source} cannot be read`, { cause });
    });
    await chmod(part, 0o400);
    await giveToDaemons(folder, part);
    await rename(part, join(folder, name));
  }
}
