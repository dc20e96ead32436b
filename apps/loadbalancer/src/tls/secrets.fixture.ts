/** A fake secrets service: containers and secrets by URL, and their consumers. */
import { randomUUID } from 'node:crypto';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type {
  SecretContainer,
  SecretDescription,
  SecretsActor,
} from '@cumulet/clients/secrets/secrets-client';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Secrets } from './tls-reader.js';

const HOST = 'http://secrets.test/v1';

export class FakeSecrets implements Secrets {
  /** Consumers such as `Octavia lbaas://listeners/…` or `Octavia listener …`, by URL. */
  readonly consumers = new Map<string, Set<string>>();
  /** Thrown by every call. */
  failure: Error | undefined;
  /** The projects on whose behalf payloads were read, in order. */
  readonly readers: string[] = [];
  readonly #payloads = new Map<string, Buffer>();
  readonly #containers = new Map<string, SecretContainer>();

  /** @returns the URL of the new secret */
  put(payload: string | Buffer): string {
    const ref = `${HOST}/secrets/${randomUUID()}`;
    this.#payloads.set(ref, Buffer.from(payload));
    return ref;
  }

  /** @returns the URL of a new container with these secrets, by name */
  contain(
    payloads: Readonly<Record<string, string | Buffer>>,
    type: SecretContainer['type'] = 'certificate',
  ): string {
    const id = randomUUID();
    const secretRefs = new Map(
      Object.entries(payloads).map(([name, payload]) => [name, this.put(payload)]),
    );
    this.#containers.set(`${HOST}/containers/${id}`, { id, name: undefined, type, secretRefs });
    return `${HOST}/containers/${id}`;
  }

  drop(ref: string): void {
    this.#payloads.delete(ref);
    this.#containers.delete(ref);
  }

  /** In any order. */
  usersOf(ref: string): string[] {
    return [...(this.consumers.get(ref) ?? [])].sort();
  }

  async container(_as: SecretsActor, ref: string): Promise<SecretContainer | undefined> {
    this.#require('container', ref);
    return Promise.resolve(this.#containers.get(ref));
  }

  async secret(_as: SecretsActor, ref: string): Promise<SecretDescription | undefined> {
    this.#require('secret', ref);
    if (!this.#payloads.has(ref)) return Promise.resolve(undefined);
    const none = { name: undefined, contentType: undefined, expiresAt: undefined };
    return Promise.resolve({ id: ref, secretType: 'opaque', ...none });
  }

  payload({ projectId }: SecretsActor, ref: string): Promise<Buffer> {
    this.#require('secret', ref);
    this.readers.push(projectId);
    const payload = this.#payloads.get(ref);
    if (payload) return Promise.resolve(Buffer.from(payload));
    return Promise.reject(new ServiceRefusedError('secrets', 404, 'Not Found.'));
  }

  addContainerConsumer: Secrets['addContainerConsumer'] = (_as, ref, { name, url }) =>
    this.#use(ref, `${name} ${url}`, true);

  removeContainerConsumer: Secrets['removeContainerConsumer'] = (_as, ref, { name, url }) =>
    this.#use(ref, `${name} ${url}`, false);

  addSecretConsumer: Secrets['addSecretConsumer'] = (_as, ref, one) =>
    this.#use(ref, `${one.service} ${one.resourceType} ${one.resourceId}`, true);

  removeSecretConsumer: Secrets['removeSecretConsumer'] = (_as, ref, one) =>
    this.#use(ref, `${one.service} ${one.resourceType} ${one.resourceId}`, false);

  #use(ref: string, consumer: string, uses: boolean): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    const known = this.consumers.get(ref) ?? new Set();
    if (uses) known.add(consumer);
    else known.delete(consumer);
    this.consumers.set(ref, known);
    return Promise.resolve();
  }

  #require(kind: 'container' | 'secret', ref: string): void {
    if (this.failure) throw this.failure;
    if (!new RegExp(`/v1/${kind}s/[0-9a-f-]{36}/?$`).test(ref))
      throw new InvalidInputError(`'${ref}' is not the address of a ${kind}.`);
  }
}
