/**
 * Reads secrets as this service on behalf of the project that refers to them. Nothing is cached, and
 * only data derived from a secret is returned.
 */
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import {
  type SecretContainer,
  type SecretsActor,
  SecretsClient,
} from '@cumulet/clients/secrets/secrets-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import {
  type Authority,
  type Bundle,
  bundleOf,
  readAuthority,
  readCertificates,
  readKey,
  readRevocations,
  requireOwn,
  UnusableError,
} from './certificates.js';
import { readPkcs12 } from './pkcs12.js';
import {
  CertificateRetrievalExceptionError,
  MissingCertSubjectError,
  UnreadablePKCS12Error,
} from './tls.errors.js';

/** The part of the client that load balancers use; tests replace it. */
export type Secrets = Pick<
  SecretsClient,
  | ('container' | 'secret' | 'payload')
  | ('addContainerConsumer' | 'removeContainerConsumer')
  | ('addSecretConsumer' | 'removeSecretConsumer')
>;

/** Undefined without a secrets service in the settings. */
export const SECRETS = Symbol('secrets');

export const secretsProvider = {
  provide: SECRETS,
  inject: [CONFIG, ActorCredentials],
  useFactory: ({ secretsUrl }: LoadBalancerConfig, credentials: ActorCredentials) =>
    secretsUrl === undefined ? undefined : new SecretsClient({ secretsUrl, credentials }),
};

/** Public source: octavia, `api/v2/controllers/base.py`, _validate_client_ca_and_crl_refs. */
const INVALID = {
  authority: 'The client authentication CA certificate is invalid.',
  revocations: 'The client authentication certificate revocation list is invalid.',
};

export class TlsReader {
  readonly #as: SecretsActor;
  /** Several listeners may use the same. */
  readonly #bundles = new Map<string, Promise<Bundle>>();

  constructor(
    private readonly secrets: Secrets,
    ctx: RequestContext,
    projectId: string,
  ) {
    this.#as = { actor: asService(ctx), projectId };
  }

  /** @param ref of a container, or of a secret with PKCS12 or with a key and certificates in PEM */
  bundle(ref: string): Promise<Bundle> {
    const known = this.#bundles.get(ref) ?? this.#checked(ref, () => this.#bundle(ref));
    this.#bundles.set(ref, known);
    return known;
  }

  authority(ref: string): Promise<Authority> {
    return this.#checked(ref, async () => readAuthority(await this.secrets.payload(this.#as, ref)));
  }

  /** @param authority PEM of their authority */
  revocations(ref: string, authority: string): Promise<string> {
    return this.#checked(ref, async () =>
      readRevocations(await this.secrets.payload(this.#as, ref), authority),
    );
  }

  async #bundle(ref: string): Promise<Bundle> {
    if (isContainer(ref)) return this.#bundleIn(await this.#container(ref));
    const data = await this.secrets.payload(this.#as, ref);
    const { key, certificates } = data.includes('-----BEGIN')
      ? { key: readKey(data), certificates: readCertificates(data) }
      : await readPkcs12(data);
    return bundleOf(key, certificates);
  }

  async #container(ref: string): Promise<SecretContainer> {
    const found = await this.secrets.container(this.#as, ref);
    if (!found) throw new UnusableError('it does not exist');
    return found;
  }

  /** By the names in a certificate container, which a generic one may use too. */
  async #bundleIn({ secretRefs }: SecretContainer): Promise<Bundle> {
    const [certificate, privateKey, passphrase, intermediates] = await Promise.all(
      ['certificate', 'private_key', 'private_key_passphrase', 'intermediates'].map(
        async (name) => {
          const ref = secretRefs.get(name);
          return ref === undefined ? undefined : await this.secrets.payload(this.#as, ref);
        },
      ),
    );
    if (!certificate || !privateKey)
      throw new UnusableError('it must contain a private key and a certificate');
    const key = readKey(privateKey, passphrase);
    const [own, ...rest] = readCertificates(certificate);
    requireOwn(key, own);
    const chain = intermediates ? readCertificates(intermediates) : [];
    return bundleOf(key, [...(own ? [own] : []), ...rest, ...chain]);
  }

  /** @throws DomainError in Octavia's words for an unusable secret; other errors unchanged */
  async #checked<T>(ref: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw refusalOf(ref, error);
    }
  }
}

export function isContainer(ref: string): boolean {
  return /\/v1\/containers\//i.test(ref);
}

function refusalOf(ref: string, error: unknown): unknown {
  if (error instanceof InvalidInputError)
    return new CertificateRetrievalExceptionError(
      ref,
      'it is not the address of a secret or container',
    );
  if (error instanceof ServiceRefusedError) {
    if (error.status === 404)
      return new CertificateRetrievalExceptionError(ref, 'it does not exist');
    if (error.status === 403)
      return new CertificateRetrievalExceptionError(ref, 'it is private to others');
  }
  if (!(error instanceof UnusableError)) return error;
  switch (error.of) {
    case 'pkcs12':
      return new UnreadablePKCS12Error(`${error.message}: ${ref}`);
    case 'subject':
      return new MissingCertSubjectError(ref);
    case 'authority':
    case 'revocations':
      return new ValidationExceptionError(`${INVALID[error.of]} ${error.message} (${ref})`);
    default:
      return new CertificateRetrievalExceptionError(ref, error.message);
  }
}
