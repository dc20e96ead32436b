/** Files of certificates for tests, made by `openssl` in a folder of their own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class CertificateFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'cumulet-tls-'));
  readonly certificate = join(this.folder, 'server.crt');
  readonly key = join(this.folder, 'server.key');

  /** Makes an authority, whose certificate is a file. @returns the path */
  authority(name: string): string {
    const path = join(this.folder, `${name}.crt`);
    const key = join(this.folder, `${name}.key`);
    openssl('req', '-x509', ...NEW_KEY, '-keyout', key, '-out', path, '-subj', `/CN=${name}`);
    return path;
  }

  /** Writes `certificate` and `key`, replacing former ones. @param names `DNS:localhost` */
  issue(authority: string, names: string): void {
    const request = join(this.folder, 'server.csr');
    const extensions = join(this.folder, 'server.ext');
    writeFileSync(extensions, `subjectAltName=${names}`);
    openssl('req', ...NEW_KEY, '-keyout', this.key, '-out', request, '-subj', '/CN=server');
    const signed = ['-in', request, '-extfile', extensions, '-out', this.certificate];
    const signer = ['-CA', authority, '-CAkey', authority.replace(/crt$/, 'key')];
    openssl('x509', '-req', ...signed, ...signer, '-CAcreateserial');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
