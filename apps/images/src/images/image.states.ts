/**
 * The states of an image; `image-status.ts` maps them to the statuses of clients. Public source:
 * Image service documentation, "Image Statuses".
 *
 * A deleted image has no row, hence no state. `saving` and `staging` belong to the process that
 * receives the bytes; `image.reconciler.ts` reverts the image if that process dies. Waiting does
 * not count towards the time that an import may take. Each event clears the columns that no longer
 * apply, so an image never names data that it does not have.
 */
import { defineStates, NOW } from '@cumulet/common/states/state-table';

const ENDED = { uploadOwner: null, announcedSize: null, updatedAt: NOW };
const SCRUBBED = { scrubbedAt: NOW, updatedAt: NOW };
const NOTHING_STAGED = { stagedDataId: null, stagedSize: null };

export const imageStates = defineStates({
  resource: 'image',
  table: 'images',
  initial: 'queued',
  failure: ['abort', 'expire', 'retryDelete'],
  states: {
    queued: { about: 'The image is registered; it has no data.' },
    saving: {
      about: 'The data is being uploaded. The deadline is extended as long as the upload lives.',
      deadline: 120,
    },
    staging: {
      about: 'Data is being uploaded to be imported later. The deadline moves on likewise.',
      deadline: 120,
    },
    staged: {
      about: 'Data waits to be imported. The deadline is that of IMAGES_STAGED_HOURS.',
      deadline: 604_800,
    },
    import_waiting: {
      about: 'An import has been requested, and waits for its turn among those of the project.',
      deadline: 604_800,
    },
    importing: {
      about: 'Data is fetched, judged, converted where that is asked for, and stored.',
      deadline: 7_200,
    },
    active: { about: 'All of its data is stored; it never changes again.' },
    deactivated: { about: 'As active, but an administrator has closed its data to all others.' },
    killed: {
      about: 'The stored data is damaged, and cannot be downloaded unless it is restored.',
    },
    pending_delete: {
      about: 'The image has been deleted, and is hidden; its data is being removed.',
      deadline: 3_600,
    },
  },
  events: {
    upload: { from: ['queued'], to: 'saving', by: 'PUT /v2/images/{image_id}/file' },
    progress: { from: ['saving'], to: 'saving', by: 'the upload, every few seconds' },
    complete: {
      from: ['saving'],
      to: 'active',
      set: ENDED,
      by: 'the upload, once its data is stored',
    },
    stage: { from: ['queued'], to: 'staging', by: 'PUT /v2/images/{image_id}/stage' },
    stageProgress: { from: ['staging'], to: 'staging', by: 'the upload, every few seconds' },
    staged: {
      from: ['staging'],
      to: 'staged',
      set: ENDED,
      by: 'the upload, once its data is staged',
    },
    import: {
      from: ['staged'],
      to: 'import_waiting',
      set: { updatedAt: NOW },
      by: 'POST /v2/images/{image_id}/import, glance-direct',
    },
    download: {
      from: ['queued'],
      to: 'import_waiting',
      set: { updatedAt: NOW },
      by: 'POST /v2/images/{image_id}/import, web-download',
    },
    expire: {
      from: ['staged'],
      to: 'queued',
      set: { ...NOTHING_STAGED, updatedAt: NOW },
      by: 'the reconciler, as nobody has imported the data',
    },
    beginImport: { from: ['import_waiting'], to: 'importing', by: 'the import, at its turn' },
    imported: {
      from: ['importing'],
      to: 'active',
      set: { ...ENDED, ...NOTHING_STAGED },
      by: 'the import, once its data is stored',
    },
    abort: {
      from: ['saving', 'staging', 'import_waiting', 'importing'],
      to: 'queued',
      set: { ...ENDED, ...NOTHING_STAGED, dataId: null, virtualSize: null },
      by: 'the upload that breaks off, the import that fails, or the reconciler that finds it dead',
    },
    deactivate: {
      from: ['active'],
      to: 'deactivated',
      set: { updatedAt: NOW },
      by: 'POST /v2/images/{image_id}/actions/deactivate',
    },
    reactivate: {
      from: ['deactivated'],
      to: 'active',
      set: { updatedAt: NOW },
      by: 'POST /v2/images/{image_id}/actions/reactivate',
    },
    damage: {
      from: ['active', 'deactivated'],
      to: 'killed',
      set: SCRUBBED,
      by: 'the integrity scrub, once the stored bytes do not match their checksum',
    },
    recoverActive: {
      from: ['killed'],
      to: 'active',
      set: SCRUBBED,
      by: 'the integrity scrub, once the stored bytes match their checksum again',
    },
    recoverDeactivated: {
      from: ['killed'],
      to: 'deactivated',
      set: SCRUBBED,
      by: 'the same, for an image that was deactivated when it was damaged',
    },
    delete: {
      from: [
        'queued',
        'saving',
        'staging',
        'staged',
        'import_waiting',
        'importing',
        'active',
        'deactivated',
        'killed',
      ],
      to: 'pending_delete',
      by: 'DELETE /v2/images/{image_id}',
    },
    retryDelete: {
      from: ['pending_delete'],
      to: 'pending_delete',
      by: 'the reconciler, where the store could not remove the data in time',
    },
  },
});

export type ImageState = keyof typeof imageStates.states;
export type ImageEvent = keyof typeof imageStates.events;

export const IMPORT_STATES: readonly ImageState[] = ['import_waiting', 'importing'];
