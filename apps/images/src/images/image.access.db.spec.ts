/** Every combination of the conditions of `image.access.ts`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { RequestContext, type Role } from '@cumulet/common/context/request-context';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { Condition } from '@cumulet/common/tables/condition';
import { newId } from '@cumulet/testing/test-tokens';
import type { DataSource } from 'typeorm';
import { imageMembers, MEMBER_STATUSES, type MemberStatus } from './members/member.resource.js';
import { IMAGE_STATES, insertImage } from './image-row.fixture.js';
import { listed, visible, type Selection } from './image.access.js';
import { VISIBILITIES, type Image } from './image.entity.js';
import { ImageRepository } from './image.repository.js';
import type { ImageState } from './image.states.js';
import { imagesService } from '../service.js';

interface Case {
  readonly image: Image;
  /** The other project's relation to the image. */
  readonly membership: MemberStatus | undefined;
}

const OWNER = asId<ProjectId>(newId());
const OTHER = asId<ProjectId>(newId());

const images = new ImageRepository();
const cases: Case[] = [];

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(imagesService);
  dataSource = await imagesService.dataSource(database.url).initialize();
  const system = RequestContext.system('req-test', dataSource.manager);
  for (const state of IMAGE_STATES) {
    for (const visibility of VISIBILITIES) {
      for (const membership of [undefined, ...MEMBER_STATUSES]) {
        const image = await insertImage(system, { owner: OWNER, state, visibility });
        if (membership !== undefined) {
          const member = { imageId: image.id, memberId: OTHER, status: membership };
          await imageMembers.insert(system, member);
        }
        cases.push({ image, membership });
      }
    }
  }
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

function as(projectId: ProjectId, role: Role): RequestContext {
  return new RequestContext({
    requestId: asId('req-test'),
    userId: asId('user'),
    roles: [role],
    projectId,
    manager: dataSource.manager,
  });
}

async function found(ctx: RequestContext, where: readonly Condition[]): Promise<string[]> {
  const { rows } = await images.list(ctx, { where });
  return rows.map(({ id }) => id).sort();
}

function maySee(ctx: RequestContext, image: Image, isMember: boolean): boolean {
  if (image.state === 'pending_delete') return false;
  return (
    ctx.isAdmin ||
    ctx.isService ||
    image.owner === ctx.projectId ||
    image.visibility === 'public' ||
    image.visibility === 'community' ||
    (image.visibility === 'shared' && isMember)
  );
}

function idsWhere(predicate: (one: Case) => boolean): string[] {
  return cases
    .filter(predicate)
    .map(({ image }) => image.id as string)
    .sort();
}

const callers = [OWNER, OTHER].flatMap((project) =>
  (['reader', 'member', 'admin', 'service'] as const).map((role) => ({
    role,
    caller: project === OWNER ? 'owner' : 'other',
    project,
  })),
);

describe.each(callers)('to the $caller as $role', ({ project, role }) => {
  it('grants the expected access', async () => {
    const ctx = as(project, role);
    const granted = idsWhere(({ image, membership }) =>
      maySee(ctx, image, project === OTHER && membership !== undefined),
    );
    expect(await found(ctx, visible(ctx))).toEqual(granted);
    expect(granted.length).toBeGreaterThan(0);
  });

  it('no list includes images without access', async () => {
    const ctx = as(project, role);
    const granted = new Set(await found(ctx, visible(ctx)));
    for (const selection of selections()) {
      const shown = await found(ctx, listed(ctx, selection));
      expect(shown.filter((id) => !granted.has(id))).toEqual([]);
    }
  });
});

function selections(): Selection[] {
  return ([undefined, 'all', ...VISIBILITIES] as const).flatMap((visibility) =>
    ([...MEMBER_STATUSES, 'all'] as const).map((memberStatus) => ({ visibility, memberStatus })),
  );
}

/** States in which an image is visible. */
const there = (state: ImageState): boolean => state !== 'pending_delete';

describe('a list', () => {
  it.each(selections())(
    'of visibility $visibility includes shared images with the status $memberStatus',
    async ({ visibility, memberStatus }) => {
      const ctx = as(OTHER, 'member');
      const expected = idsWhere(({ image, membership }) => {
        if (!there(image.state)) return false;
        if (visibility === undefined && image.visibility === 'community') return false;
        if (visibility !== undefined && visibility !== 'all' && image.visibility !== visibility) {
          return false;
        }
        if (image.visibility === 'shared') {
          return membership !== undefined && ['all', membership].includes(memberStatus);
        }
        return image.visibility !== 'private';
      });
      expect(await found(ctx, listed(ctx, { visibility, memberStatus }))).toEqual(expected);
    },
  );

  it.each(['member', 'admin'] as const)(
    "includes all of the owner's images as %s",
    async (role) => {
      const ctx = as(OWNER, role);
      const shown = await found(
        ctx,
        listed(ctx, { visibility: undefined, memberStatus: 'accepted' }),
      );
      expect(shown).toEqual(idsWhere(({ image }) => there(image.state)));
    },
  );

  it('includes all but community images for an admin of another project', async () => {
    const ctx = as(OTHER, 'admin');
    const shown = await found(
      ctx,
      listed(ctx, { visibility: undefined, memberStatus: 'accepted' }),
    );
    const expected = idsWhere(
      ({ image }) => there(image.state) && image.visibility !== 'community',
    );
    expect(shown).toEqual(expected);
  });
});

it('finds no image that is being deleted', async () => {
  const ctx = as(OWNER, 'admin');
  for (const { image } of cases) {
    expect((await images.find(ctx, image.id)) !== undefined).toBe(there(image.state));
  }
});
