/** The guest administrator's password, which an agent changes while the guest runs. */
import { constants, publicEncrypt } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import sshpk from 'sshpk';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, conflict } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../../config.js';
import { HostRelay } from '../../hosts/host-relay.js';
import { type HypervisorDriver, HYPERVISOR } from '../../hypervisor/hypervisor-driver.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';
import { isYes } from '../../servers/hardware/hardware-values.js';
import { ServerAttributes } from '../../servers/server-attributes.js';
import type { Server } from '../../servers/server.entity.js';

export class AgentNotEnabledError extends conflict('QEMU guest agent is not enabled') {}

export class PasswordNotSetError extends DomainError {
  constructor(id: string, why: string, cause: unknown) {
    super('conflict', `Failed to set admin password on ${id} because ${why}`, { cause });
  }
}

@Injectable()
export class AdminPasswordService {
  constructor(
    @Inject(CONFIG) private readonly config: ComputeConfig,
    private readonly relay: HostRelay,
    private readonly attributes: ServerAttributes,
    // Absent from processes that only answer requests.
    @Optional() @Inject(HYPERVISOR) private readonly hypervisor?: HypervisorDriver,
  ) {}

  /**
   * Sets the password in a running guest, and stores it encrypted if the server's key pair allows
   * (Nova API reference, "Show Server Password").
   * @throws AgentNotEnabledError if the image names no agent
   * @throws PasswordNotSetError if the agent does not answer, or refuses
   */
  async set(ctx: RequestContext, server: Server, password: string): Promise<void> {
    const { host, id, image, keypair } = server;
    const properties = image.properties ?? {};
    if (!isYes(properties['hw_qemu_guest_agent'])) throw new AgentNotEnabledError();
    if (this.hypervisor && host === this.config.host) {
      await this.hypervisor.agents
        .setPassword(id, administratorOf(properties), password)
        .catch((error: unknown) => {
          if (!(error instanceof HypervisorError) || error.kind === 'bug') throw error;
          const why = error.message.charAt(0).toLowerCase() + error.message.slice(1, -1);
          throw new PasswordNotSetError(id, why, error);
        });
      const guestPassword = keypair && encryptedFor(keypair.publicKey, password);
      if (guestPassword)
        await this.attributes.change(ctx, id, undefined, () => ({ guestPassword }));
    } else if (host !== null) {
      const json = { changePassword: { adminPass: password } };
      const path = `/servers/${id}/action`;
      await this.relay.ask(ctx, { id, host }, { method: 'POST', path, json });
    }
  }
}

/** Glance admin guide, "Useful image properties": os_admin_user, os_type. */
function administratorOf(properties: Readonly<Record<string, string | undefined>>): string {
  const { os_admin_user: user, os_type: system } = properties;
  return user ?? (system === 'windows' ? 'Administrator' : 'root');
}

/**
 * Encrypts a password for the owner of a key pair. Public source: nova, `crypto.py`.
 * @param publicKey a line of SSH
 * @returns PKCS #1 v1.5 in base64, as `nova get-password` decrypts it; undefined for a key that is
 *   not RSA, or too short
 */
function encryptedFor(publicKey: string, password: string): string | undefined {
  if (!publicKey.startsWith('ssh-rsa ')) return undefined;
  const key = sshpk.parseKey(publicKey, 'ssh').toString('pkcs8');
  try {
    const padding = constants.RSA_PKCS1_PADDING;
    return publicEncrypt({ key, padding }, Buffer.from(password)).toString('base64');
  } catch {
    return undefined;
  }
}
