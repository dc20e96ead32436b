/**
 * The secrets service, as its sisters use it. Public source: Key Manager API reference, v1.
 *
 * Always holds: every request names the project for which it is made, so that the service refuses what
 * that project may not read. Secrets of another project are found where an ACL names the actor.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import type { ServiceRequest } from '../http/service-request.js';

export interface SecretsClientOptions {
  /** Without /v1. */
  readonly secretsUrl: string;
  readonly credentials: Credentials;
}

export interface SecretsActor {
  readonly actor: Actor;
  readonly projectId: string;
}

export interface SecretContainer {
  readonly id: string;
  readonly name: string | undefined;
  readonly type: 'generic' | 'rsa' | 'certificate';
  /** The URL of each secret, by its name in the container: `private_key`. */
  readonly secretRefs: ReadonlyMap<string, string>;
}

export interface SecretDescription {
  readonly id: string;
  readonly name: string | undefined;
  readonly secretType: string;
  /** Undefined without a payload. */
  readonly contentType: string | undefined;
  readonly expiresAt: Date | undefined;
}

export interface ContainerConsumer {
  readonly name: string;
  readonly url: string;
}

/** The user of a secret: `load-balancer`, `listener` and its id. */
export interface SecretConsumer {
  readonly service: string;
  readonly resourceType: string;
  readonly resourceId: string;
}

interface WireContainer {
  readonly name: string | null;
  readonly type: SecretContainer['type'];
  readonly secret_refs: readonly { readonly name: string | null; readonly secret_ref: string }[];
}

interface WireSecret {
  readonly name: string | null;
  readonly secret_type: string;
  readonly content_types?: { readonly default: string };
  readonly expiration: string | null;
}

type Collection = 'secrets' | 'containers';

/** More than the service allows. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

export class SecretsClient extends SisterClient {
  constructor({ secretsUrl: baseUrl, credentials }: SecretsClientOptions) {
    super({ service: 'secrets', baseUrl, credentials, connections: 4 });
  }

  /**
   * @param ref the URL of the container, as a client gives it
   * @returns undefined if it does not exist, or the project may not read it
   * @throws InvalidInputError for any other URL
   */
  async container(as: SecretsActor, ref: string): Promise<SecretContainer | undefined> {
    const id = idIn('containers', ref);
    const found = await this.client.find(requestOf(as, `/v1/containers/${id}`));
    return found && containerFromWire(id, found.body as WireContainer);
  }

  /** As `container`, for a secret. */
  async secret(as: SecretsActor, ref: string): Promise<SecretDescription | undefined> {
    const id = idIn('secrets', ref);
    const found = await this.client.find(requestOf(as, `/v1/secrets/${id}`));
    return found && secretFromWire(id, found.body as WireSecret);
  }

  /**
   * The payload of a secret. Keep it no longer than needed.
   * @throws InvalidInputError for anything but the URL of a secret
   * @throws ServiceRefusedError 404 without a secret or a payload, 403 if it is private to others
   */
  async payload(as: SecretsActor, ref: string): Promise<Buffer> {
    const request = requestOf(as, `/v1/secrets/${idIn('secrets', ref)}/payload`);
    const headers = { ...request.headers, accept: '*/*' };
    const { body } = await this.client.open({ ...request, headers });
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_PAYLOAD_BYTES) throw new Error('the payload of a secret is too long');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Registers a consumer; idempotent. */
  async addContainerConsumer(
    as: SecretsActor,
    ref: string,
    { name, url: URL }: ContainerConsumer,
  ): Promise<void> {
    await this.client.send(consumersOf(as, 'containers', ref, 'POST', { name, URL }));
  }

  /** An absent consumer or container is not an error. */
  async removeContainerConsumer(
    as: SecretsActor,
    ref: string,
    { name, url: URL }: ContainerConsumer,
  ): Promise<void> {
    await this.client.find(consumersOf(as, 'containers', ref, 'DELETE', { name, URL }));
  }

  /** Registers a consumer; idempotent. */
  async addSecretConsumer(as: SecretsActor, ref: string, consumer: SecretConsumer): Promise<void> {
    await this.client.send(consumersOf(as, 'secrets', ref, 'POST', toWire(consumer)));
  }

  /** An absent consumer or secret is not an error. */
  async removeSecretConsumer(
    as: SecretsActor,
    ref: string,
    consumer: SecretConsumer,
  ): Promise<void> {
    await this.client.find(consumersOf(as, 'secrets', ref, 'DELETE', toWire(consumer)));
  }
}

function requestOf({ actor, projectId }: SecretsActor, path: string): ServiceRequest {
  return { actor, path, headers: { 'x-project-id': projectId } };
}

function consumersOf(
  as: SecretsActor,
  collection: Collection,
  ref: string,
  method: 'POST' | 'DELETE',
  json: object,
): ServiceRequest {
  const path = `/v1/${collection}/${idIn(collection, ref)}/consumers`;
  return { ...requestOf(as, path), method, json };
}

const REF = /\/v1\/(secrets|containers)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/** Ignores the host of the URL. */
function idIn(collection: Collection, ref: string): string {
  const [, found, id] = REF.exec(ref) ?? [];
  if (id !== undefined && found === collection) return id;
  const kind = collection === 'secrets' ? 'secret' : 'container';
  throw new InvalidInputError(`'${ref}' is not the URL of a ${kind} of the secrets service.`);
}

function toWire({ service, resourceType, resourceId }: SecretConsumer): object {
  return { service, resource_type: resourceType, resource_id: resourceId };
}

function containerFromWire(
  id: string,
  { name, type, secret_refs: refs }: WireContainer,
): SecretContainer {
  const secretRefs = new Map(refs.map((ref) => [ref.name ?? '', ref.secret_ref]));
  return { id, name: name ?? undefined, type, secretRefs };
}

function secretFromWire(id: string, secret: WireSecret): SecretDescription {
  const { name, secret_type: secretType, content_types: types, expiration } = secret;
  return {
    id,
    name: name ?? undefined,
    secretType,
    contentType: types?.default,
    // Barbican's times are UTC without a suffix.
    expiresAt: expiration === null ? undefined : new Date(`${expiration}Z`),
  };
}
