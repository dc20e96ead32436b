import { Injectable } from '@nestjs/common';
import type { RevocationSubject } from '@cumulet/common/auth/revocation';
import { asId, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { domains } from '../domains/domain.repository.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { type NamedIds, PolicyTargets, type Subject } from '../policy/policy-target.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import {
  roleAssignments,
  type Assignment,
  type AssignmentPlace,
} from '../roles/role-assignment.repository.js';
import type { Role } from '../roles/role.resource.js';

export type GrantIds = NamedIds & { readonly role_id: string };

const KINDS = ['role', 'user', 'group', 'project', 'domain'] as const satisfies Subject['kind'][];

/**
 * Roles of a user or a group on a project, a domain or the system; `inherited`, on the projects
 * below instead. Public source: Keystone API reference, "Roles", "OS-INHERIT API" and "System Role
 * Assignments".
 */
@Injectable()
export class GrantsService {
  constructor(
    private readonly named: PolicyTargets,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws NotFoundError for anything in the path */
  async list(ctx: RequestContext, ids: NamedIds, inherited = false): Promise<Role[]> {
    const subjects = await this.#subjects(ctx, ids);
    return roleAssignments.listRoles(ctx, placeOf(ids, inherited, isDomain(subjects)));
  }

  /** @throws RoleAssignmentNotFoundError, or as `list` */
  async check(ctx: RequestContext, ids: GrantIds, inherited = false): Promise<void> {
    await this.#existing(ctx, ids, inherited);
  }

  /**
   * Does nothing if the grant exists already.
   * @throws ForbiddenError for a role of another domain than the project's, InvalidInputError for a
   *   domain's role on the system, or as `list`
   */
  async create(ctx: RequestContext, ids: GrantIds, inherited = false): Promise<void> {
    const subjects = await this.#subjects(ctx, ids);
    refuseForeignRole(subjects);
    await roleAssignments.ensure(ctx, [grantOf(ids, inherited, isDomain(subjects))]);
  }

  /**
   * Revokes the tokens that the user, or each member of the group, has for this place.
   * @throws RoleAssignmentNotFoundError, or as `list`
   */
  async delete(ctx: RequestContext, ids: GrantIds, inherited = false): Promise<void> {
    const grant = await this.#existing(ctx, ids, inherited);
    await this.revocations.change(ctx, async (tx) => {
      const userIds = await roleAssignments.remove(tx, grant);
      await this.revocations.revoke(tx, ...userIds.map((userId) => tokensBy(grant, userId)));
    });
  }

  async #existing(ctx: RequestContext, ids: GrantIds, inherited: boolean): Promise<Assignment> {
    const grant = grantOf(ids, inherited, isDomain(await this.#subjects(ctx, ids)));
    await roleAssignments.get(ctx, grant);
    return grant;
  }

  async #subjects(ctx: RequestContext, ids: NamedIds): Promise<readonly Subject[]> {
    const subjects = [...((await this.named.read(ctx, ids))?.subjects ?? [])];
    for (const kind of KINDS) {
      const id = ids[`${kind}_id`];
      if (id === undefined || subjects.some((one) => one.kind === kind)) continue;
      // A domain is also a project, which no domain owns.
      if (kind !== 'project' || !(await domains.find(ctx, id))) throw new NotFoundError(kind, id);
      subjects.push({ kind, id, domainId: null });
    }
    return subjects;
  }
}

function isDomain(subjects: readonly Subject[]): boolean {
  return subjects.some(({ kind, domainId }) => kind === 'project' && domainId === null);
}

/**
 * A path that names neither a project nor a domain is about the system.
 * @param asProject whether the project in the path is a domain
 */
export function placeOf(ids: NamedIds, inherited: boolean, asProject = false): AssignmentPlace {
  const { user_id: userId, group_id: groupId, project_id: projectId, domain_id: domainId } = ids;
  return {
    userId: idOrNull(userId),
    groupId: idOrNull(groupId),
    projectId: asProject ? null : idOrNull(projectId),
    domainId: idOrNull(asProject ? projectId : domainId),
    asProject,
    onSystem: projectId === undefined && domainId === undefined,
    inherited,
  };
}

export function grantOf(ids: GrantIds, inherited: boolean, asProject = false): Assignment {
  return { ...placeOf(ids, inherited, asProject), roleId: asId(ids.role_id) };
}

function idOrNull<Name extends string>(id: string | undefined): Id<Name> | null {
  return id === undefined ? null : asId(id);
}

/**
 * The tokens to revoke where a user loses a role. Events cannot name the system or the projects below
 * another: all tokens of the user are revoked then.
 */
export function tokensBy(place: AssignmentPlace, userId: string): RevocationSubject {
  const { projectId, domainId, inherited } = place;
  if (inherited) return { userId };
  if (projectId !== null) return { userId, projectId };
  return domainId === null ? { userId } : { userId, domainId };
}

/**
 * A role of one domain can be granted on that domain's projects only, and never on the system. As in
 * Keystone, it can be granted on any domain: no token has it, only what it implies.
 */
function refuseForeignRole(subjects: readonly Subject[]): void {
  const role = subjects.find(({ kind }) => kind === 'role');
  if (role === undefined || role.domainId === null) return;
  if (subjects.some(({ kind }) => kind === 'domain')) return;
  const which = `the role ${role.id} is of the domain ${role.domainId}, and cannot be granted on`;
  const project = subjects.find(({ kind }) => kind === 'project');
  if (!project) throw new InvalidInputError(`Invalid input: ${which} the system.`);
  if (project.domainId !== role.domainId)
    throw new ForbiddenError(`T${which.slice(1)} the project ${project.id}, which is of another.`);
}
