/** The row of a new server, from the request and what it refers to. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { initialState } from '@cumulet/common/states/transition';
import type { Flavor } from '../flavors/flavor.resource.js';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { InjectedFile, LocalDisk } from '../hypervisor/ports/guest-spec.js';
import { versionOf } from '../versions/microversions.js';
import { type CreateServerDto, shortestIpv6 } from '../servers/server.dto.js';
import type {
  KeypairSnapshot,
  SchedulingRequest,
  Server,
  ServerId,
} from '../servers/server.entity.js';
import type { NewServer } from '../servers/server.repository.js';
import { serverStates } from '../servers/server.states.js';
import { tagsOf } from '../servers/tags/server-tags.service.js';

/** Resolved references and defaults, the same for each server of the request. */
interface NewServerParts {
  readonly flavor: Flavor;
  readonly image: BootImage;
  /** Tag of its boot disk. */
  readonly tag: string | null;
  readonly localDisks: LocalDisk[];
  readonly keypair: KeypairSnapshot | null;
  readonly nic: Server['nic'];
  readonly injectedFiles: InjectedFile[];
  readonly sealedPassword: string;
  readonly reservationId: string;
  readonly scheduling: SchedulingRequest;
}

/** @param place number of the server in the request, and of how many */
export function newServer(
  ctx: RequestContext,
  dto: CreateServerDto,
  parts: NewServerParts,
  { index, count }: { readonly index: number; readonly count: number },
): NewServer {
  const { flavor, image, tag, localDisks, keypair, nic, injectedFiles } = parts;
  const { sealedPassword, reservationId, scheduling } = parts;
  const id = asId<ServerId>(randomUUID());
  const name = count === 1 ? dto.name : `${dto.name}-${index + 1}`;
  return {
    ...initialState(serverStates),
    id,
    projectId: ctx.projectId,
    userId: ctx.userId,
    name,
    hostname: dto.hostname ?? hostnameOf(name, id),
    description: descriptionOf(ctx, dto),
    accessIpV4: dto.accessIPv4 ?? null,
    accessIpV6: dto.accessIPv6 === undefined ? null : shortestIpv6(dto.accessIPv6),
    diskConfig: dto['OS-DCF:diskConfig'] ?? 'MANUAL',
    flavor: {
      id: flavor.id,
      name: flavor.name,
      extraSpecs: flavor.extraSpecs,
      ephemeralGb: flavor.ephemeralGb,
      swapMb: flavor.swapMb,
    },
    vcpus: flavor.vcpus,
    memoryMb: flavor.memoryMb,
    diskGb: flavor.diskGb,
    imageId: image.id,
    image,
    diskTag: tag,
    localDisks,
    keypair,
    nic,
    metadata: dto.metadata ?? {},
    tags: tagsOf(dto.tags ?? []),
    userData: dto.user_data ?? null,
    injectedFiles,
    adminPassword: sealedPassword,
    configDrive: dto.config_drive ?? false,
    reservationId,
    launchIndex: index,
    scheduling,
  };
}

/** Before 2.19 showed it, a server's name was its description. */
function descriptionOf(ctx: RequestContext, { name, description }: CreateServerDto): string | null {
  return versionOf(ctx).atLeast(19) ? (description ?? null) : name;
}

/**
 * A host name derived from the server's name as in Nova: invalid characters are dropped; an empty
 * result becomes `server-<id>`. No label is empty or ends with a hyphen.
 */
export function hostnameOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[ _]/g, '-')
    .replaceAll(/[^\w.-]/g, '')
    .toLowerCase()
    .replaceAll(/-*\.[.-]*/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, 63)
    .replaceAll(/[.-]+$/g, '');
  return plain === '' ? `server-${id}` : plain;
}
