/**
 * What projects may write before they are counted again: a small share of what they have left, for a
 * moment. So several processes together do not bring a project over its limits.
 */
import { LRUCache } from 'lru-cache';
import type { ProjectId } from '@cumulet/common/context/ids';

/** What a write adds. */
export interface Added {
  readonly objects: number;
  readonly bytes: number;
}

/** How long a count holds: a limit that changes is noticed after as long. */
const FRESH_MS = 1_000;
/** Of what is left, each process hands out this share between two counts. */
const SHARE = 1 / 64;
const MAX_PROJECTS = 10_000;

export class Headrooms {
  readonly #byProject = new LRUCache<ProjectId, { objects: number; bytes: number }>({
    max: MAX_PROJECTS,
    ttl: FRESH_MS,
  });

  /** @param left what the project may still have; infinite without a limit */
  measured(projectId: ProjectId, left: Added): void {
    const share = { objects: left.objects * SHARE, bytes: left.bytes * SHARE };
    this.#byProject.set(projectId, share);
  }

  has(projectId: ProjectId, { objects, bytes }: Added): boolean {
    const room = this.#byProject.get(projectId);
    return room !== undefined && objects <= room.objects && bytes <= room.bytes;
  }

  /** @returns false, and takes nothing, if it has to be counted first */
  take(projectId: ProjectId, added: Added): boolean {
    const room = this.#byProject.get(projectId);
    if (!room || !this.has(projectId, added)) return false;
    room.objects -= added.objects;
    room.bytes -= added.bytes;
    return true;
  }
}
