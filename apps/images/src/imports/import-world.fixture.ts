/** Imports in a database and an in-memory store, without API and worker. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RequestContext } from '@cumulet/common/context/request-context';
import { runSweep, type Sweep } from '@cumulet/common/jobs/sweep';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler, type ReconcileOutcome } from '@cumulet/common/reconcile/run-reconciler';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { createTestDatabase } from '@cumulet/testing/database';
import type { ImagesConfig } from '../config.js';
import { ImageObjects } from '../image-data/image-objects.js';
import { insertImage } from '../images/image-row.fixture.js';
import type { Image } from '../images/image.entity.js';
import { ImageQuotas } from '../images/image-quotas.js';
import { ImageReconciler } from '../upkeep/image.reconciler.js';
import { ImageWorkRepository } from '../images/image-work.repository.js';
import { testConfig } from '../images.fixture.js';
import { imagesService } from '../service.js';
import type { Task } from '../images/tasks/task.entity.js';
import { newImportTask, TaskRepository } from '../images/tasks/task.repository.js';
import { ConversionFiles } from './conversion/conversion-files.js';
import { ImageConverter } from './conversion/image-converter.js';
import { ImportConversion } from './conversion/import-conversion.js';
import { ImportData } from './import-data.js';
import { ImportReconciler } from './import.reconciler.js';
import { WebDownload } from './web-download/web-download.js';

const logger = createLogger('test', 'silent');

/** An in-memory store that exposes its IDs. */
export class WatchedStore extends MemoryStore {
  readonly ids = new Set<DataId>();
  /** Called before an object is put. */
  beforePut: (id: DataId) => Promise<void> = () => Promise.resolve();

  override async put(id: DataId, data: Readable): Promise<void> {
    await this.beforePut(id);
    await super.put(id, data);
    this.ids.add(id);
  }

  override async remove(id: DataId): Promise<void> {
    await super.remove(id);
    this.ids.delete(id);
  }
}

export class ImportWorld {
  readonly images = new ImageWorkRepository();
  readonly tasks = new TaskRepository();

  private constructor(
    readonly ctx: RequestContext,
    readonly config: ImagesConfig,
    readonly store: WatchedStore,
    readonly files: ConversionFiles,
    readonly web: WebDownload,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(changes: Partial<ImagesConfig> = {}): Promise<ImportWorld> {
    const database = await createTestDatabase(imagesService);
    const dataSource = await imagesService.dataSource(database.url).initialize();
    const importFolder = await mkdtemp(join(tmpdir(), 'imports-'));
    const config = { ...testConfig(database.url), importFolder, ...changes };
    const files = new ConversionFiles(importFolder);
    await files.start();
    const web = new WebDownload({
      ports: config.webDownloadPorts,
      mayConnect: () => true,
      connectSeconds: 30,
      silenceSeconds: 30,
      leastSpeed: { bytesPerSecond: 0, overSeconds: 5 },
    });
    const ctx = new RequestContext({
      ...RequestContext.system('req-test', dataSource.manager).fields,
      projectId: 'project' as never,
    });
    return new ImportWorld(ctx, config, new WatchedStore('image'), files, web, async () => {
      await web.onModuleDestroy();
      await dataSource.destroy();
      await database.drop();
      await rm(importFolder, { recursive: true });
    });
  }

  get objects(): ImageObjects {
    return new ImageObjects(this.images, this.store, logger);
  }

  /** A reconciler as in another process. */
  get reconciler(): ImageReconciler {
    const { config, store, files, images, tasks, objects } = this;
    const quotas = new ImageQuotas(config);
    const data = new ImportData(config, store, objects, quotas, this.web);
    const converter = new ImageConverter(config);
    const conversion = new ImportConversion(data, files, converter, images, config);
    const imports = new ImportReconciler(config, images, tasks, quotas, data, conversion);
    return new ImageReconciler(config, store, images, tasks, objects, imports);
  }

  /** An image that is importing its staged data. */
  async importing(data: Uint8Array | string, fields: Partial<Image> = {}): Promise<Image> {
    const image = await this.#insert({
      state: 'importing',
      stagedSize: Buffer.from(data).length,
      announcedSize: Buffer.from(data).length,
      ...fields,
    });
    await this.store.put(image.stagedDataId as DataId, bytes(data));
    await this.#begin(image, { name: 'glance-direct' });
    return image;
  }

  /** An image that is importing from a URI. */
  async downloading(uri: string, fields: Partial<Image> = {}): Promise<Image> {
    const image = await this.#insert({
      state: 'importing',
      stagedDataId: null,
      stagedSize: null,
      ...fields,
    });
    await this.#begin(image, { name: 'web-download', uri });
    return image;
  }

  run(id: string, reconciler = this.reconciler): Promise<ReconcileOutcome> {
    return runReconciler(reconciler, this.ctx, id, 0, { logger, releaseMs: 5_000 });
  }

  sweep(sweep: Sweep): Promise<void> {
    return runSweep(this.ctx.manager.dataSource, sweep);
  }

  async row(id: string): Promise<Image> {
    const image = await this.reconciler.load(this.ctx, id);
    if (!image) throw new Error(`image ${id} is gone`);
    return image;
  }

  /** The image's only task. */
  async task(id: string): Promise<Task> {
    const tasks = await this.tasks.listOfImage(this.ctx, id as never, undefined);
    const [task] = tasks;
    if (!task || tasks.length > 1) throw new Error(`image ${id} has ${tasks.length} tasks`);
    return task;
  }

  async read(id: DataId | null): Promise<Buffer> {
    const chunks = await (await this.store.open(id as DataId)).toArray();
    return Buffer.concat(chunks as Buffer[]);
  }

  /** Empties everything. */
  async clear(): Promise<void> {
    await this.ctx.manager.query('TRUNCATE images, image_members, tasks');
    for (const id of [...this.store.ids]) await this.store.remove(id);
    this.store.beforePut = () => Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.end();
  }

  async #insert(fields: Partial<Image>): Promise<Image> {
    const formats = { diskFormat: 'raw', containerFormat: 'bare' };
    const stateDeadline = new Date(Date.now() + 60_000);
    return insertImage(this.ctx, { ...formats, stateDeadline, ...fields });
  }

  async #begin({ id }: Image, method: object): Promise<void> {
    const input = { image_id: id, import_req: { method }, backend: ['memory'] };
    await this.tasks.insert(this.ctx, newImportTask(this.ctx, this.ctx.projectId, id, input));
  }
}

function bytes(data: Uint8Array | string): Readable {
  return Readable.from([Buffer.from(data)], { objectMode: false });
}
