import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  conflict,
  ForbiddenError,
  InvalidInputError,
  notFound,
  UnavailableError,
} from '@cumulet/common/errors/domain-error';
import { isStorable } from '@cumulet/common/database/storable';
import { NicRepository } from '../nics/nic.repository.js';
import { ServerRepository } from '../servers/server.repository.js';
import { ec2Answer } from './ec2-format.js';
import type { Answer, GuestMetadata } from './guest-metadata.js';
import type { ComputeConfig } from '../config.js';
import { isPasswordPath, openstackAnswer } from './openstack-format.js';

/** Characters of a password encrypted for the server's key pair. */
const MAX_PASSWORD = 1_020;

class MetadataNotFoundError extends notFound('The metadata could not be found.') {}

class PasswordAlreadySetError extends conflict('The password was already set.') {}

@Injectable()
export class MetadataService {
  constructor(
    private readonly servers: ServerRepository,
    private readonly nics: NicRepository,
  ) {}

  /** @param path in parts. @throws MetadataNotFoundError */
  async read(
    ctx: RequestContext,
    caller: RequestingGuest,
    path: readonly string[],
  ): Promise<Answer> {
    const guest = await this.#guest(ctx, caller);
    const [format, ...rest] = path;
    const answer =
      format === 'openstack'
        ? openstackAnswer(guest, rest)
        : ec2Answer(guest, format === 'ec2' ? rest : path);
    if (!answer) throw new MetadataNotFoundError();
    return answer;
  }

  /**
   * Once, until its owner clears it.
   * @throws PasswordAlreadySetError, InvalidInputError, MetadataNotFoundError
   */
  async postPassword(
    ctx: RequestContext,
    caller: RequestingGuest,
    path: readonly string[],
    password: string,
  ): Promise<void> {
    const { server } = await this.#guest(ctx, caller);
    if (!isPasswordPath(path)) throw new MetadataNotFoundError();
    if (password.length > MAX_PASSWORD || !isStorable(password))
      throw new InvalidInputError('Request is too large.');
    if (!(await this.servers.keepPassword(ctx, server.id, password)))
      throw new PasswordAlreadySetError();
  }

  async #guest(
    ctx: RequestContext,
    { serverId, projectId }: RequestingGuest,
  ): Promise<GuestMetadata> {
    const server = await this.servers.find(ctx, serverId);
    if (server?.projectId !== projectId) throw new MetadataNotFoundError();
    return { server, nics: await this.nics.ofServer(ctx, serverId) };
  }
}

/**
 * The guest that asks, as the network service's proxy states and signs. Public source: Networking
 * guide, "Metadata service"; neutron, `agent/metadata/proxy_base.py`.
 */
interface RequestingGuest {
  readonly serverId: string;
  readonly projectId: string;
}

export type MetadataSecrets = Pick<ComputeConfig, 'metadataSecret' | 'oldMetadataSecrets'>;

/**
 * The proxy signs with one of the secrets that it shares with compute.
 * @throws UnavailableError without a secret
 * @throws InvalidInputError for a request that did not come through the proxy
 * @throws ForbiddenError for one that the proxy has not signed
 */
export function requestingGuestOf(
  headers: IncomingHttpHeaders,
  { metadataSecret, oldMetadataSecrets = [] }: MetadataSecrets,
): RequestingGuest {
  if (metadataSecret === undefined)
    throw new UnavailableError('This cloud has no metadata service.');
  const serverId = textOf(headers['x-instance-id']);
  const projectId = textOf(headers['x-tenant-id']);
  const signature = textOf(headers['x-instance-id-signature']);
  if (serverId === undefined)
    throw new InvalidInputError('X-Instance-ID header is missing from request.');
  if (projectId === undefined)
    throw new InvalidInputError('X-Tenant-ID header is missing from request.');
  const given = Buffer.from(signature ?? '', 'hex');
  const isSigned = [metadataSecret, ...oldMetadataSecrets].some((secret) => {
    const expected = createHmac('sha256', secret).update(serverId).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned || !isUuid(serverId)) throw new ForbiddenError('Invalid proxy request signature.');
  return { serverId, projectId };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
