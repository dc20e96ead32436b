/** A cluster's certificates by openssl, for trials. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAYS = '30';

export class Authority {
  /** @param folder of its own */
  constructor(folder, name) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.key = newKey(folder, 'ca');
    openssl(
      [
        'req',
        '-x509',
        '-new',
        '-key',
        join(folder, 'ca.key'),
        '-subj',
        `/CN=${name}`,
        '-days',
        DAYS,
      ]
        .concat(['-addext', 'keyUsage=critical,keyCertSign,digitalSignature'])
        .concat(['-out', join(folder, 'ca.crt')]),
    );
    this.certificate = read(folder, 'ca.crt');
  }

  /**
   * @param names of a server, `DNS:…` and `IP:…`; a certificate without is a client's
   * @returns `[certificate, key]` as PEM
   */
  issue(subject, names = []) {
    const key = newKey(this.folder, 'leaf');
    const at = (name) => join(this.folder, name);
    openssl(['req', '-new', '-key', at('leaf.key'), '-subj', subject, '-out', at('leaf.csr')]);
    const extensions = [
      'basicConstraints=CA:FALSE',
      'keyUsage=critical,digitalSignature',
      `extendedKeyUsage=clientAuth${names.length > 0 ? ',serverAuth' : ''}`,
      ...(names.length > 0 ? [`subjectAltName=${names.join(',')}`] : []),
    ];
    writeFileSync(at('leaf.ext'), `${extensions.join('\n')}\n`);
    openssl(
      ['x509', '-req', '-in', at('leaf.csr'), '-CA', at('ca.crt'), '-CAkey', at('ca.key')].concat([
        '-CAcreateserial',
        '-days',
        DAYS,
        '-extfile',
        at('leaf.ext'),
        '-out',
        at('leaf.crt'),
      ]),
    );
    return [read(this.folder, 'leaf.crt'), key];
  }
}

/** @returns `[private, public]` as PEM, for tokens of service accounts */
export function serviceAccountKeys(folder) {
  const file = join(folder, 'service-account.key');
  openssl(['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', file]);
  openssl(['pkey', '-in', file, '-pubout', '-out', `${file}.pub`]);
  return [readFileSync(file, 'utf8'), readFileSync(`${file}.pub`, 'utf8')];
}

function newKey(folder, name) {
  const file = join(folder, `${name}.key`);
  openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file]);
  return readFileSync(file, 'utf8');
}

function read(folder, name) {
  return readFileSync(join(folder, name), 'utf8');
}

function openssl(args) {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
