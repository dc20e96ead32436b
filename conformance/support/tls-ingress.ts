/**
 * TLS in front of a service on this machine, as an ingress terminates it in a real cloud: clients send
 * the keys of SSE-C over nothing else.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { freePort } from '@cumulet/testing/free-port';
import { outputOf } from './run-program.js';

/** What a service has to know of it, to say `https` in the addresses that it answers. */
export const BEHIND_INGRESS = { CUMULET_TRUSTED_PROXIES: '127.0.0.1' };

export class TlsIngress {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    /** On `localhost`. */
    readonly port: number,
  ) {}

  /** @param servicePort where requests are passed on to */
  static async start(servicePort: number): Promise<TlsIngress> {
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-ingress-'));
    const [key, cert] = await newCertificate(folder);
    const server = createServer({ key, cert }, (request, response) =>
      passOn(request, response, servicePort),
    );
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new TlsIngress(server, folder, port);
  }

  /** The file of its certificate, which clients are told to trust. */
  get certificate(): string {
    return join(this.folder, 'certificate.pem');
  }

  async remove(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** @returns its key, and itself */
async function newCertificate(folder: string): Promise<[Buffer, Buffer]> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  await outputOf('openssl', ['req', '-x509', '-days', '2', ...kind, ...names, ...files]);
  return [await readFile(key), await readFile(certificate)];
}

/** As it is, headers in their order too, so that what a client has signed stays what it was. */
function passOn(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, rawHeaders } = request;
  const headers = [...rawHeaders, 'X-Forwarded-Proto', 'https'];
  const onward = httpRequest(
    { host: '127.0.0.1', port, method, path, headers: headers as never },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      // Where one of the two ends early, the other is ended too.
      pipeline(answer, response, () => undefined);
    },
  );
  pipeline(request, onward, () => undefined);
  onward.once('error', () => response.destroy());
}
