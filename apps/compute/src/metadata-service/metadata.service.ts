import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, notFound, conflict } from '@cumulet/common/errors/domain-error';
import { isStorable } from '@cumulet/common/database/storable';
import { NicRepository } from '../nics/nic.repository.js';
import { ServerRepository } from '../servers/server.repository.js';
import type { RequestingGuest } from './requesting-guest.js';
import { ec2Answer } from './ec2-format.js';
import type { Answer, GuestMetadata } from './guest-metadata.js';
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
